package com.google.gson;

/** Nothing is written here. */
public class Gson {
    public String toJson(Object value) {
        return "{}";
    }
}
