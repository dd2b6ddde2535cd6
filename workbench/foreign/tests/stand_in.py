"""A referee that behaves as those of CodinGame's challenges do.

Its game: every turn each player gets a card and answers a number from 0 to that card, which it scores. With `--fault NAME` in front of
the options it does what referees do wrong. `-serve` plays a game for each line of options, separated by tabs.
"""

import json
import random
import subprocess
import sys
import time

TURNS = 3


class Failed(Exception):
    pass


def answer(process, card, turn):
    try:
        process.stdin.write(f"{turn} {card}\n")
        process.stdin.flush()
    except BrokenPipeError:
        raise Failed("timeout") from None
    line = process.stdout.readline()
    if not line:
        raise Failed("has not provided 1 lines in time")
    if not line.strip().isdigit() or int(line) > card:
        raise Failed(f"Invalid answer: {line.strip()}")
    return int(line)


def play(options, old_seed):
    commands = [options[f"-p{n}"] for n in range(1, 9) if f"-p{n}" in options]
    seed = int(options["-seed"])
    rng = random.Random(seed)
    # Split at spaces: no quotes, no shell.
    bots = [
        subprocess.Popen(c.split(" "), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for c in commands
    ]
    scores = [0] * len(bots)
    log = {"outputs": {"referee": []}, "errors": {"referee": []}, "summaries": [], "views": [], "scores": {}, "failCause": None}
    log["outputs"].update({str(n): [] for n in range(len(bots))})
    log["errors"].update({str(n): [] for n in range(len(bots))})
    for turn in range(TURNS):
        card = rng.randrange(10, 100)
        for n, bot in enumerate(bots):
            summary = ""
            if scores[n] >= 0:
                try:
                    value = answer(bot, card, turn)
                    scores[n] += value
                    log["outputs"][str(n)].append(f"{value}\n")
                except Failed as reason:
                    scores[n] = -1
                    summary = f"¤RED¤${n}: {reason}§RED§\n"
            log["summaries"].append(summary)
    for n, bot in enumerate(bots):
        bot.kill()
        log["errors"][str(n)].append(bot.communicate()[1])
        log["scores"][str(n)] = scores[n]
    log["uinput"] = [f"seed={seed}"]
    if "-l" in options:
        with open(options["-l"], "w") as file:
            json.dump(log, file)
    for score in scores:
        print(score)
    print(f"seed={random.randrange(1 << 40) if old_seed else seed}\n", flush=True)


def options_of(words, brutaltester):
    options = {}
    words = list(words)
    while words:
        key = words.pop(0)
        if brutaltester and key == "-d":
            options["-seed"] = words.pop(0).split("=")[1]
        elif key == "-d" and not brutaltester:
            pass
        elif key[1:] in ("seed", "league", "l", "timeout", "p1", "p2", "p3", "p4") and not (brutaltester and key == "-seed"):
            options[key] = words.pop(0)
        elif key.startswith("-"):
            print("org.apache.commons.cli.UnrecognizedOptionException: Unrecognized option: " + key, file=sys.stderr)
            sys.exit(1)
    return options


def main(words):
    fault = ""
    if words[:1] == ["--fault"]:
        fault, words = words[1], words[2:]
    if fault == "hang":
        subprocess.Popen(["sleep", "77777"])
        time.sleep(77777)
    if fault == "flood":
        while True:
            print("3" * 1000)
    if fault == "java":
        print(
            "Exception in thread \"main\" java.lang.UnsupportedClassVersionError: X has been compiled by a more recent version of the Java "
            "Runtime (class file version 65.0), this version of the Java Runtime only recognizes class file versions up to 61.0",
            file=sys.stderr,
        )
        sys.exit(1)
    if fault == "trace":
        print("java.lang.RuntimeException: Failed to launch\n\tat X.y(X.java:3)\nCaused by: java.io.IOException: Cannot run", file=sys.stderr)
        print("\tat X.z(X.java:4)", file=sys.stderr)
        sys.exit(1)
    if fault == "null":
        print("java.lang.IllegalStateException: no map\n\tat X.y(X.java:3)", file=sys.stderr)
        print("null\nnull")
        return
    if fault.startswith("once="):
        # Fails until the file that it names is there.
        try:
            open(fault[5:], "x").close()
            print("java.lang.RuntimeException: Error reading Referee VIEW command\n\tat X.y(X.java:3)", file=sys.stderr)
            print("null\nnull")
            return
        except FileExistsError:
            pass
    if fault == "usage":
        print("usage: -p1 <player1 command line> -p2 <player2 command line> [-s -l <File output for logs>]")
        return
    if fault == "few":
        print("3\nseed=1")
        return
    if fault == "decimals":
        print("0.25\n-0.5\n")
        return
    if fault == "banner":
        print("[12:00:00] WARN : the view is too big\nWelcome to 1 game\n")
    if fault == "child":
        subprocess.Popen(["sleep", "77777"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if fault == "json":
        print('{"ranks": [1, 0, 1][:%d], "errors": [0, 0, 1]}'.replace("[1, 0, 1][:%d]", "[1, 0]"))
        return
    if words[:1] == ["-serve"]:
        for number, line in enumerate(sys.stdin):
            if fault == "dies" and number == 2:
                print("the referee has failed: no map", file=sys.stderr)
                sys.exit(3)
            play(options_of(line.rstrip("\n").split("\t"), False), False)
            print("contender-end 0", flush=True)
        return
    play(options_of(words, fault == "brutaltester"), fault == "ignored-seed")


main(sys.argv[1:])
