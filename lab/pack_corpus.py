#!/usr/bin/env python3
"""Packs public contest bots and compares the packed programs with cargo's:

    lab/pack_corpus.py FOLDER [TEXT] [-o TABLE] [--minify N] [--whole]     # only the bots whose name contains TEXT

FOLDER contains a checkout of each repository, named OWNER+NAME. The script writes a row of lab/notes/pack-corpus.md for each
bot, and prints the row. For each bot it builds the program with cargo, packs it, compiles the packed file alone with the flags
of the packer, and runs both programs with the bot's inputs. The inputs are made here. With --minify, files with at most N
characters are also minified, compiled and compared. A bot is packed for the judge of its contest. With --whole, AtCoder's
judge has only the crates of CodinGame, so that the file contains the others.

Both programs run with a clock that advances by 50 microseconds per call (STEPS has exceptions) and with constant random
bytes, so that a search with a time limit visits the same nodes in both. A library does this (`LD_PRELOAD`), which the script compiles with `cc`.
If cargo's program prints something else in a second run, only the exit statuses are compared ("runs").
CONTENDER is the command, and CARGO_TARGET_DIR must not be set.
"""

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

CLOCK = r"""
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/time.h>
#include <time.h>
static __thread unsigned long calls;
static unsigned long now(void) {
  static unsigned long step;
  if (!step) step = strtoul(getenv("CLOCK_STEP"), 0, 10);
  return 1700000000000000000UL + ++calls * step;
}
int clock_gettime(clockid_t clock, struct timespec *at) {
  unsigned long value = now();
  at->tv_sec = value / 1000000000UL, at->tv_nsec = value % 1000000000UL;
  return 0;
}
int gettimeofday(struct timeval *restrict at, void *restrict zone) {
  unsigned long value = now();
  at->tv_sec = value / 1000000000UL, at->tv_usec = value % 1000000000UL / 1000;
  return 0;
}
time_t time(time_t *at) {
  time_t value = now() / 1000000000UL;
  if (at) *at = value;
  return value;
}
ssize_t getrandom(void *to, size_t length, unsigned flags) {
  memset(to, 7, length);
  return length;
}
"""

# Nanoseconds by which the clock advances, for bots that read it seldom and for the others.
STEPS = {name: 2_000_000 for name in ["hinohi/ahc019", "tishii2479/ahc017", "tishii2479/ahc033"]}
STEP = 50_000

RANDOM = random.Random(7)
SECONDS = 120


def text(*lines):
    return "\n".join(str(line) for line in lines) + "\n"


def numbers(*values):
    return " ".join(map(str, values))


def hexes(radius):
    """Returns the neighbours in six directions of each cell of a hexagon, in the order of a spiral."""
    cells = [(0, 0)]
    for k in range(1, radius + 1):
        q, s = k, 0
        for step in [(0, -1), (-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1)]:
            for _ in range(k):
                cells.append((q, s))
                q, s = q + step[0], s + step[1]
    index = {cell: at for at, cell in enumerate(cells)}
    steps = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)]
    return [[index.get((q + a, s + b), -1) for a, b in steps] for q, s in cells]


def ants(has_scores):
    near = hexes(3)
    count, ours, theirs = len(near), 19, 28
    kinds = [RANDOM.choice([1, 2, 2]) if at % 3 == 1 and at not in (ours, theirs) else 0 for at in range(count)]
    left = [RANDOM.randrange(10, 60) if kind else 0 for kind in kinds]
    lines = [count] + [numbers(kinds[at], left[at], *near[at]) for at in range(count)] + [1, ours, theirs]
    for turn in range(6):
        lines += [numbers(3 * turn, 2 * turn)] if has_scores else []
        for at in range(count):
            ants = 10 if at == ours and turn == 0 else 5 if at in (ours, near[ours][0]) and turn else 0
            enemies = 10 if at == theirs and turn == 0 else 5 if at in (theirs, near[theirs][1]) and turn else 0
            left[at] = max(0, left[at] - 2) if turn and left[at] else left[at]
            lines.append(numbers(left[at], ants, enemies))
    return text(*lines)


def spiders():
    lines = ["0 0", "3"]
    for turn in range(6):
        lines += ["3 40", "3 20", 7]
        for hero in range(3):
            x, y = 800 + hero * 900 + turn * 200, 2400 - hero * 700 + turn * 100
            lines.append(numbers(hero, 1, x, y, 0, 0, -1, -1, -1, -1, -1))
        for monster in range(4):
            x, y = 4000 + monster * 900 - turn * 300, 3000 + monster * 500 - turn * 250
            near, threat = int(monster == 0 and turn > 3), int(monster < 2)
            lines.append(numbers(6 + monster, 0, x, y, 0, 0, 11 - turn, -300, -250, near, threat))
    return text(*lines)


def trees():
    near = hexes(3)
    lines = [37]
    lines += [numbers(at, 3 if at < 7 else 2 if at < 19 else 1, *near[at]) for at in range(37)]
    for turn in range(5):
        lines += [turn, 20, numbers(2 + 3 * turn, 0), numbers(2 + 3 * turn, 0, 0)]
        all_trees = [(20, 1 + (turn > 1), 1, 0), (23, 1, 1, 0), (29, 1, 0, 0), (32, 1, 0, 0)]
        all_trees += [(8, 0, 1, 1)] if turn > 2 else []
        lines += [len(all_trees)] + [numbers(*tree) for tree in sorted(all_trees)]
        actions = ["WAIT"] + (["GROW 20", "GROW 23"] if turn else [])
        actions += [f"SEED 20 {cell}" for cell in near[20] if cell >= 0]
        lines += [len(actions)] + actions
    return text(*lines)


def grass():
    width, height = 13, 7
    scrap = [[RANDOM.choice([0, 4, 6, 8, 9, 10]) for _ in range(width)] for _ in range(height)]
    lines = [numbers(width, height)]
    for turn in range(5):
        lines.append(numbers(10 + 10 * turn, 10 + 10 * turn))
        for y in range(height):
            for x in range(width):
                ours, theirs = (abs(x - at) + abs(y - 3) for at in (2, 10))
                owner = 1 if ours <= 1 + turn // 2 else 0 if theirs <= 1 + turn // 2 else -1
                units = int(owner != -1 and min(ours, theirs) == 1 + turn // 2)
                can = int(owner == 1)
                lines.append(numbers(scrap[y][x] if owner == -1 else 8, owner, units, 0, can * (1 - units), can, 0))
    return text(*lines)


def kitchen():
    dish = "DISH-BLUEBERRIES-ICE_CREAM"
    lines = [20] + [f"{dish}{'-CHOPPED_STRAWBERRIES' if at % 2 else ''} {650 + at * 10}" for at in range(20)]
    lines += ["#####D#####", "#.........#", "#.####.##.#", "#.#..#..#.#", "W.##.####.C", "#.....0.1.#", "#####B#I#S#"]
    for turn in range(6):
        lines += [200 - turn, f"{5 + turn % 3} 5 {'NONE' if turn < 3 else 'DISH'}", "8 5 NONE"]
        lines += [1, "5 2 DISH"] if turn > 2 else [0]
        lines += ["NONE 0", 3, f"{dish} 650", f"{dish}-CHOPPED_STRAWBERRIES 660", "DISH-ICE_CREAM 400"]
    return text(*lines)


def labyrinth():
    rows = ["#" * 12] + ["#" + "." * 10 + "#"] * 5 + ["#" * 12]
    rows[3] = "#T...##..C.#"
    lines = ["7 12 20"]
    for turn in range(8):
        lines += [numbers(3, 1 + min(turn, 3))] + [
            "".join(sign if abs(x - 1 - turn) < 4 else "?" for x, sign in enumerate(row)) for row in rows
        ]
    return text(*lines)


def bela():
    cards = [value + suit for value in "AKQJT987" for suit in "SHDC"]
    RANDOM.shuffle(cards)
    return text("5 S", *cards[:20])


def organs():
    lines = ["16 8"]
    for turn in range(5):
        parts = [f"{x} {y} WALL -1 0 X 0 0" for x, y in ((8, 1), (8, 2), (7, 6))]
        parts += [f"{x} {y} {kind} -1 0 X 0 0" for x, y, kind in ((4, 2, "A"), (5, 5, "B"), (11, 2, "C"), (10, 5, "D"))]
        parts += [f"2 3 ROOT 1 1 N 0 1", "13 4 ROOT 0 2 N 0 2"]
        parts += [f"{3 + at} 3 BASIC 1 {3 + 2 * at} N {1 if at == 0 else 1 + 2 * at} 1" for at in range(turn)]
        lines += [len(parts)] + parts + [numbers(10 - turn, 2, 2, 2), numbers(10, 2, 2, 2), 1]
    return text(*lines)


def snakes():
    walls = ["." * 20] * 8 + ["....######..######..", "#" * 20]
    lines = [0, 20, 10, *walls, 2, 0, 1, 2, 3]
    for turn in range(6):
        apples = [(3, 4), (16, 4), (9, 2), (10, 2), (6, 6), (13, 6)][: 6 - turn // 2]
        lines += [len(apples)] + [numbers(*apple) for apple in apples] + [4]
        for bird, (x, y) in enumerate([(4 + turn, 7), (7, 7), (12, 7), (15 - turn, 7)]):
            side = -1 if bird < 2 else 1
            lines.append(f"{bird} " + ":".join(f"{x + side * at},{y}" for at in range(3)))
    return text(*lines)


def halite():
    constants = {
        "CAPTURE_ENABLED": False, "CAPTURE_RADIUS": 3, "DEFAULT_MAP_HEIGHT": 32, "DEFAULT_MAP_WIDTH": 32,
        "DROPOFF_COST": 4000, "DROPOFF_PENALTY_RATIO": 4, "EXTRACT_RATIO": 4, "FACTOR_EXP_1": 2.0, "FACTOR_EXP_2": 2.0,
        "INITIAL_ENERGY": 5000, "INSPIRATION_ENABLED": True, "INSPIRATION_RADIUS": 4, "INSPIRATION_SHIP_COUNT": 2,
        "INSPIRED_BONUS_MULTIPLIER": 2.0, "INSPIRED_EXTRACT_RATIO": 4, "INSPIRED_MOVE_COST_RATIO": 10,
        "MAX_CELL_PRODUCTION": 1000, "MAX_ENERGY": 1000, "MAX_PLAYERS": 16, "MAX_TURNS": 400, "MAX_TURN_THRESHOLD": 64,
        "MIN_CELL_PRODUCTION": 900, "MIN_TURNS": 400, "MIN_TURN_THRESHOLD": 32, "MOVE_COST_RATIO": 10,
        "NEW_ENTITY_ENERGY_COST": 1000, "PERSISTENCE": 0.7, "SHIPS_ABOVE_FOR_CAPTURE": 3, "STRICT_ERRORS": False,
        "game_seed": 1540000000,
    }  # fmt: skip
    cells = [[RANDOM.randrange(20, 400) for _ in range(16)] for _ in range(32)]
    lines = [json.dumps(constants, separators=(",", ":")), "2 0", "0 8 16", "1 23 16", "32 32"]
    lines += [numbers(*row, *reversed(row)) for row in cells]
    for turn in range(1, 9):
        lines.append(turn)
        for player, x, step in ((0, 8, -1), (1, 23, 1)):
            ships = [(player * 50 + at, x + step * min(turn - 2 - at, 3), 16, 60 * at) for at in range(min(turn - 1, 3))]
            lines += [numbers(player, len(ships), 0, 5000 - 1000 * len(ships))] + [numbers(*ship) for ship in ships]
        lines += [1, numbers(turn, turn, 100)]
    return text(*lines)


def ttt():
    free = [numbers(row, column) for row in range(3, 6) for column in range(3, 6) if (row, column) != (4, 4)]
    return text("4 4", len(free), *free)


def rectangles():
    points = RANDOM.sample([(x, y) for x in range(0, 10000, 500) for y in range(0, 10000, 500)], 50)
    return text(50, *(numbers(x, y, 2_000_000) for x, y in points))


def routes():
    lines = []
    for _ in range(1000):
        lines += [numbers(*(RANDOM.randrange(30) for _ in range(4))), RANDOM.randrange(20_000, 80_000)]
    return text(*lines)


def grid_points():
    points = RANDOM.sample([(x, y) for x in range(8, 25) for y in range(8, 25)], 30)
    return text("33 30", *(numbers(*point) for point in points))


def graphs(program):
    """The size of the graphs in the queries is the bot's choice."""
    head = "20 0.05\n"
    first = program(head).split()
    count = int(first[0]) if first else 10
    return head + text(*("".join(RANDOM.choice("01") for _ in range(count * (count - 1) // 2)) for _ in range(100)))


def wells():
    houses = [(30, 40), (120, 90), (170, 20)]
    answers = ["1" if RANDOM.random() < 0.4 else "0" for _ in range(3000)]
    return text("200 1 3 8", "10 10", *(numbers(*house) for house in houses), *answers)


def silhouettes():
    lines = [5]
    for _ in range(4):
        lines += ["".join(RANDOM.choice("1101") for _ in range(5)) for _ in range(5)]
    return text(*lines)


def oil():
    shapes = ["4 0 0 0 1 1 0 1 1", "3 0 0 1 0 2 0", "4 0 0 0 1 0 2 1 1"]
    return text("10 3 0.05", *shapes, *(RANDOM.choice("00112") for _ in range(4000)))


def containers():
    order = list(range(25))
    RANDOM.shuffle(order)
    return text(5, *(numbers(*order[at : at + 5]) for at in range(0, 25, 5)))


def halls():
    days = [sorted(RANDOM.randrange(5_000, 250_000) for _ in range(4)) for _ in range(5)]
    return text("1000 5 4", *(numbers(*day) for day in days))


def boxes():
    sizes = [(RANDOM.randrange(10_000, 100_000), RANDOM.randrange(10_000, 100_000)) for _ in range(30)]
    measured = [(RANDOM.randrange(200_000, 400_000), RANDOM.randrange(200_000, 400_000)) for _ in range(60)]
    return text("30 60 5000", *(numbers(*size) for size in sizes), *(numbers(*size) for size in measured))


def roads():
    """A grid of 25 by 20 places with random lengths."""
    width, height = 25, 20
    place = lambda x, y: y * width + x + 1
    edges = [(place(x, y), place(x + 1, y)) for y in range(height) for x in range(width - 1)]
    edges += [(place(x, y), place(x, y + 1)) for y in range(height - 1) for x in range(width)]
    lines = [numbers(width * height, len(edges), 10, 120)]
    lines += [numbers(*edge, RANDOM.randrange(30_000, 60_000)) for edge in edges]
    return text(*lines, *(numbers(x * 40, y * 50) for y in range(height) for x in range(width)))


def cards():
    card = lambda: (RANDOM.choice([0, 0, 0, 1, 1, 2, 3]), RANDOM.randrange(20, 80))
    project = lambda: numbers(RANDOM.randrange(20, 90), RANDOM.randrange(20, 90))
    lines = ["4 3 3 1000", *(numbers(*card()) for _ in range(4)), *(project() for _ in range(3))]
    for turn in range(1000):
        lines += [*(project() for _ in range(3)), 20 * turn, "0 1 0", *(numbers(*card(), 15) for _ in range(2))]
    return text(*lines)


def scales():
    return text("30 4 400", *(RANDOM.choice("<<>>=") for _ in range(400)))


def dust():
    """A square of 20 by 20 cells without walls."""
    lines = [20] + ["0" * 20] * 19 + ["0" * 19] * 20
    return text(*lines, *(numbers(*(RANDOM.randrange(1, 1000) for _ in range(20))) for _ in range(20)))


def towers():
    """The rounds are files, so zombot runs once for each."""
    states = []
    for number in (0, 3, 4, 11):
        players = [
            {"playerType": name, "energy": 20 + number, "health": 100, "ironCurtainAvailable": False,
             "activeIronCurtainLifetime": 0} for name in "AB"
        ]  # fmt: skip
        rows = [[{"x": x, "y": y, "buildings": [], "missiles": []} for x in range(16)] for y in range(8)]
        states.append(json.dumps({"gameDetails": {"round": number}, "players": players, "gameMap": rows}))
    return states


# Part of the corpus (1: chosen while the packer was written, 2 to 4: afterwards), repository, commit, package's folder,
# program, and what makes its input. Bots with a reason in place of an input do not build.
BOTS = [
    (1, "tczajka/wazir-drop", "e9ebf863", "", "wazir-drop", "Start\n"),
    (1, "tczajka/goldbars", "ca90dab3", "", "goldbars", ""),
    (1, "terry-u16/ahc014", "2a1430a1", "", "ahc014-a", grid_points),
    (1, "terry-u16/ahc016", "f3eb0e5a", "", "ahc016", graphs),
    (1, "terry-u16/ahc018", "7c718210", "", "", wells),
    (1, "terry-u16/ahc030", "22e2bb48", "", "", oil),
    (1, "terry-u16/ahc031", "12e47b18", "", "", halls),
    (1, "terry-u16/ahc033", "83c480dc", "", "", containers),
    (1, "terry-u16/ahc040", "017a5ba9", "", "ahc040", boxes),
    (1, "tonigineer/Codingame", "42351056", "bot-programming/ultimate-tic-tac-toe", "", ttt),
    (1, "tonigineer/Codingame", "42351056", "puzzles/one-billion-rows", "solve", ""),
    (1, "hhourani27/codingame-rust", "628b8852", None, "fall_2020_witches_brew", "a dependency lies on its author's disk"),
    (1, "Mormehtar/codingame-rust", "6e00fb03", None, "", "its build script panics"),
    (1, "MyForking/halite3-bot-1", "49ffef72", "", "", halite),
    (1, "JWorthe/entelect-challenge-tower-defence", "c4a76b78", "", "zombot", towers),
    (1, "MathieuSoysal/Winter_Challenge_2024", "1b06177c", "", "", organs),
    (1, "DrFlowerkick/cg_ultimate_tic_tac_toe", "671e888d", "", "cg_ultimate_tic_tac_toe", ttt),
    (1, "h-sumiya/2048AI", "4f071b95", "codingame", "", ""),
    (1, "h-sumiya/2048AI", "4f071b95", "ai", "", ""),
    (1, "mjoosten42/codinggame_2022", "9535c536", "", "", grass),
    (1, "onioni0202/AHC001", "24a8ea7c", "", "main", rectangles),
    (1, "diegoasanch/brainfuck-rs", "722bf571", None, "codingame", "a dependency is a git repository"),
    (1, "rqdmap/rust-in-competitive-programming", "4ad4b9d6", None, "", "a dependency is a git repository"),
    (1, "sam-mfb/cg-rust", "a2f9da47", "", "", ""),
    (1, "tanzaku/codevs-reborn", "fbfca1ce", None, "", "a dependency is missing"),
    (1, "codedeliveryservice/Reckless", "789de891", None, "", "its build script downloads a network"),
    (1, "andersengqvist/open_kattis", "cab5e255", "rust/k1_2-4", "bela", bela),
    (2, "olety/codingame-winter-2026", "e1b0e300", "rust/bot", "snakebot-bot", snakes),
    (2, "oneiron-dev/codingame-winter-2026", "ec9d45bc", "rust/bot", "snakebot-bot", snakes),
    (2, "mraasvel/codingame-spring-2022", "56e8c026", "", "", spiders),
    (2, "rbeneyton/codingame-spring2023-ants", "6aac9173", "", "", lambda: ants(True)),
    (2, "tczajka/NineDigits", "20ef2957", "", "", "Start\n"),
    (2, "ntk-ta01/codingame-spring-challenge-2021", "5940862d", "", "", trees),
    (2, "mjoosten42/Codingame-Spring-23", "1382cb27", "", "", lambda: ants(False)),
    (2, "andersengqvist/open_kattis", "cab5e255", "rust/k1_2-4", "autori", "Knuth-Morris-Pratt\n"),
    (2, "andersengqvist/open_kattis", "cab5e255", "rust/k1_2-4", "carrots", "2 5\nBob\nAda\n"),
    (2, "hinohi/ahc003", "9e576966", None, "solver", "an undeclared variable"),
    (2, "hinohi/ahc019", "2bce28a4", "", "submit", silhouettes),
    (2, "ichyo/ahc003", "221f605c", "submission", "", routes),
    (2, "tishii2479/ahc030", "b93e0c07", "", "", oil),
    (2, "tishii2479/ahc016", "b3076b42", "", "sol", graphs),
    (2, "ntk-ta01/ahc014", "78186c04", None, "ahc014-a", "a workspace member is missing"),
    (2, "Kyo-s-s/AHC030", "f9561ae6", "main", "", oil),
    (2, "nwtnni/halite", "5f9a5b51", None, "ii", '`simplelog = "*"` is now another version'),
    (2, "nwtnni/halite", "5f9a5b51", "iii", "", halite),
    (2, "fabienjuif/codingame-rust", "6a162928", "", "the-labyrinth", labyrinth),
    (2, "fabienjuif/codingame-rust", "6a162928", "", "code-a-la-mode", kitchen),
    (3, "tishii2479/ahc017", "4058b353", "", "", roads),
    (3, "tishii2479/ahc025", "78b3ab06", "", "", scales),
    (3, "tishii2479/ahc029", "2052f648", "", "", cards),
    (3, "tishii2479/ahc031", "a43e9bea", "", "", halls),
    (3, "tishii2479/ahc033", "5ae27def", "", "", containers),
    (3, "Kyo-s-s/AHC027", "745de47c", "main", "", dust),
    (3, "hinohi/ahc001", "22e90905", "", "local", rectangles),
    (3, "hinohi/ahc018", "a9630738", "main", "", wells),
    (3, "vecva/Tic-tac-toe", "d79ceda5", "", "", text(*range(1, 10))),
    (3, "wrenger/snork", "76bec0c9", "", "move", ""),
    (3, "tonigineer/Codingame-AI", "dcac5576", "puzzles/one-billion-rows", "solve", ""),
    (3, "fexolm/cgbot", "47e33891", None, "main", "a dependency is a git repository"),
    (3, "mjhanninen/halite-soija", "efd21734", None, "", "an error of today's compiler (E0392)"),
    (3, "coreyja/battlesnake-rs", "a5a8afa1", None, "", "a dependency is a git repository"),
    (4, "kraftwerk28/reversi_bot", "f8792234", "", "", text("A1", "white", "C4", "C5", "F3")),
    (4, "ejaszewski/ruthless", "5ba817dd", "", "", ""),
    (4, "tishii2479/ahc027", "ddaf286c", "", "", dust),
    (4, "matsueushi/AHC012", "9077c3f9", None, "", "the workspace names a folder that the repository lacks"),
]


def run(words, limit=SECONDS, **more):
    """Returns the exit status, the standard output and the error output; the status is "late" after the time limit."""
    try:
        done = subprocess.run(words, capture_output=True, timeout=limit, **more)
    except subprocess.TimeoutExpired as late:
        return "late", late.stdout or b"", late.stderr or b""
    return done.returncode, done.stdout, done.stderr


def play(program, content, clock, folder):
    """Returns the exit status and the output of a program: its standard output, and the commands that it writes. Programs
    run in the package's folder, because some read a file there. `clock` is the library and its step in nanoseconds."""
    place = Path(tempfile.mkdtemp()) if isinstance(content, list) else folder
    environment = {"PATH": os.environ["PATH"], "RAYON_NUM_THREADS": "1"}
    environment |= {"LD_PRELOAD": str(clock[0]), "CLOCK_STEP": str(clock[1])}
    out = b""
    for state in content if isinstance(content, list) else [content]:
        if isinstance(content, list):
            (place / "state.json").write_text(state)
        status, printed, _ = run([program], cwd=place, env=environment, input=state.encode())
        out += printed + b"".join(file.read_bytes() for file in sorted(place.glob("command.txt")))
    return status, out


def judge(repository, whole):
    """Returns the options for the judge of a repository's contest."""
    if repository.startswith("tczajka/"):
        return ["--judge", "codecup"]
    if "ahc" not in repository.lower():
        return []
    return ["--limit", "524288", "--unit", "bytes"] + ([] if whole else ["--judge-has", "all"])


# The crates of CodinGame's judge.
CODINGAME = ["chrono", "itertools", "libc", "rand", "regex", "time"]


def built(manifest, binary, has_all):
    """Returns the program that cargo builds and the compiled dependencies by name, or None with cargo's error. If the judge
    has all crates, these are also the dependencies of dependencies."""
    words = ["cargo", "build", "--release", "--message-format=json", "--manifest-path", str(manifest)]
    # Cargo reads the configuration of the current folder.
    _, out, errors = run(words + (["--bin", binary] if binary else []), 1800, cwd=manifest.parent)
    messages = [json.loads(line) for line in out.splitlines() if line.startswith(b"{")]
    program = next((message for message in messages if message.get("executable")), None)
    if not program:
        return None, errors
    libraries = [message for message in messages if "filenames" in message and "lib" in message["target"]["kind"]]
    files = {message["package_id"]: message["filenames"] for message in libraries}
    words = ["cargo", "metadata", "--format-version", "1", "--manifest-path", str(manifest)]
    nodes = json.loads(run(words, cwd=manifest.parent)[1])["resolve"]["nodes"]
    dependencies = next(node["deps"] for node in nodes if node["id"] == program["package_id"])
    rlibs = {of["name"]: [file for file in files.get(of["pkg"], []) if file.endswith(".rlib")] for of in dependencies}
    direct = {name: paths[0] for name, paths in rlibs.items() if paths}
    # A packed file may use a crate of CodinGame's judge that only a dependency of the bot names.
    judges = [message for message in libraries if has_all or message["target"]["name"] in CODINGAME]
    paths = {of["target"]["name"]: file for of in judges for file in of["filenames"] if file.endswith(".rlib")}
    return program["executable"], {**paths, **direct}


def compiled(source, folder, crates):
    """Compiles a packed file as its second line says, and returns the program or None. The crates that the judge has come
    from cargo's build."""
    lines = source.read_text().splitlines()
    command = next(line for line in lines if line.startswith("// Compile it with: rustc "))
    program = folder / source.stem
    words = ["rustc", *command.removeprefix("// Compile it with: rustc ").removesuffix(" FILE").split()]
    words += ["-A", "warnings", "-o", str(program), str(source)]
    # A crate inside the file is none of the judge's.
    outside = {name: file for name, file in crates.items() if f"mod {name} {{" not in lines}
    for name, file in outside.items():
        words += ["-L", f"dependency={Path(file).parent}", "--extern", f"{name}={file}"]
    return program if run(words, 1800)[0] == 0 else None


def result(bot, root, limit, clock, whole):
    """Returns the cells of a bot's row: characters, minified, answers, result, processor seconds."""
    _, repository, _, package, binary, make = bot
    if package is None:
        return "", "", "", f"does not build: {make}", ""
    folder = Path(tempfile.mkdtemp())
    manifest = root / repository.replace("/", "+") / package / "Cargo.toml"
    original, crates = built(manifest, binary, "--judge-has" in judge(repository, whole))
    if not original:
        return "", "", "", f"does not build: {crates.decode().strip().splitlines()[-1]}", ""
    pack = [os.environ.get("CONTENDER", "contender"), "pack", "--manifest", str(manifest)]
    pack += (["--bin", binary] if binary else []) + judge(repository, whole)
    source = folder / "packed.rs"
    start = processor_seconds()
    _, _, errors = run([*pack, "-o", str(source)], 1800)
    seconds = f"{processor_seconds() - start:.1f}"
    if not source.exists():
        return "", "", "", f"refused: {errors.decode().strip().splitlines()[0]}", seconds
    size = lambda file: len(file.read_text().encode("utf-16-le")) // 2
    files = [source]
    short = folder / "minified.rs"
    if size(source) <= limit and (run([*pack, "--minify", "-o", str(short)], 1800), short.exists())[1]:
        files.append(short)
    shorter = f"{size(short):,}" if short in files else ""
    content = make
    if callable(make):
        RANDOM.seed(7)
        is_asking = make is graphs
        content = make(lambda head: play(original, head, clock, manifest.parent)[1].decode()) if is_asking else make()
    expected = play(original, content, clock, manifest.parent)
    repeats = play(original, content, clock, manifest.parent) == expected
    words = "same" if repeats else "runs"
    for file in files:
        program = compiled(file, folder, crates)
        what = "minified " if file == short else ""
        if program is None:
            words = f"{what}does not compile"
            break
        status, out = play(program, content, clock, manifest.parent)
        if status != expected[0] or (repeats and out != expected[1]):
            words = f"{what}differs: {status}, {len(out)} bytes instead of {expected[0]}, {len(expected[1])} bytes"
            break
    if expected[0] == "late" and words == "same":
        words = "not compared: both programs reach the time limit"
    elif expected[0] != 0:
        words += f" (both end with {expected[0]})"
    answers = len(expected[1].splitlines())
    return f"{size(source):,}", shorter, answers, words, seconds


def processor_seconds():
    """Returns the processor time of all programs that this one has run."""
    times = resource.getrusage(resource.RUSAGE_CHILDREN)
    return times.ru_utime + times.ru_stime


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--minify", type=int, default=0)
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("only", nargs="?", default="")
    arguments = parser.parse_args()
    # Packages that ask for a certain toolchain are built with the same one as the others.
    os.environ.setdefault("RUSTUP_TOOLCHAIN", "stable")
    place = Path(tempfile.mkdtemp())
    (place / "clock.c").write_text(CLOCK)
    clock = place / "clock.so"
    subprocess.run(["cc", "-O1", "-w", "-shared", "-fPIC", "-o", clock, place / "clock.c"], check=True)
    rows = ["| part | bot | commit | characters | minified | lines printed | result | s |", "|---|---|---|---|---|---|---|---|"]
    for bot in BOTS:
        part, repository, commit, package, binary, _ = bot
        name = " ".join(filter(None, [repository, package or "", binary]))
        if arguments.only not in name:
            continue
        stepped = clock, STEPS.get(repository, STEP)
        cells = result(bot, arguments.folder, arguments.minify, stepped, arguments.whole)
        rows.append("| " + " | ".join(map(str, [part, name, commit, *cells])) + " |")
        print(rows[-1], flush=True)
        if arguments.output:
            arguments.output.write_text("\n".join(rows) + "\n")


if __name__ == "__main__":
    sys.exit(main())
