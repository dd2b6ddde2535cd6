package com.codingame.gameengine.runner.simulate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What is read of a game. */
public class GameResult {
    public Map<Integer, Integer> scores = new LinkedHashMap<>();
    public List<String> gameParameters = new ArrayList<>();
    public Object errors;
    public Object outputs;
    public Object summaries;
    public Object views;
    public Object metadata;
    public Object tooltips;
    public Object agents;
    public String failCause;
}
