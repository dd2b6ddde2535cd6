package com.codingame.gameengine.runner;

import com.codingame.gameengine.runner.simulate.GameResult;
import java.util.ArrayList;
import java.util.List;

/**
 * Ten turns of 50 ms. Who is not heard within 50 ms more has lost, and so has who took longer than the 50 ms a third time, as in
 * CodinGame's GameRunner, GameManager and AbstractPlayer. The score is the number of turns that were answered, or -1.
 */
public class MultiplayerGameRunner {
    private final List<Agent> agents = new ArrayList<>();

    public void setSeed(Long seed) {}

    public void setLeagueLevel(int level) {}

    public void addAgent(String[] words) {
        addAgent(new CommandLinePlayerAgent(words), null, null);
    }

    private void addAgent(Agent agent, String nickname, String avatar) {
        agents.add(agent);
    }

    public GameResult simulate() {
        GameResult game = new GameResult();
        for (Agent agent : agents) {
            int turns = 0;
            int late = 0;
            for (; turns < 10 && late <= 2; turns++) {
                if (agent.getOutput(1, 50 + 50) == null) {
                    late = 3;
                }
                agent.lastExecutionTimeMs = 120;
                agent.readError();
                late += agent.lastExecutionTimeMs > 50 ? 1 : 0;
            }
            game.scores.put(game.scores.size(), late > 2 ? -1 : turns);
        }
        return game;
    }
}
