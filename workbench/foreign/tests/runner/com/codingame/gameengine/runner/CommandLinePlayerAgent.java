package com.codingame.gameengine.runner;

/** A bot that takes 120 ms for an answer, without a clock: what matters of CodinGame's class for time limits. */
abstract class Agent {
    public long lastExecutionTimeMs;

    public String getOutput(int lines, long timeout) {
        return timeout >= 120 ? "WAIT\n" : null;
    }

    public String readError() {
        return null;
    }
}

public class CommandLinePlayerAgent extends Agent {
    public CommandLinePlayerAgent(String[] words) {}
}
