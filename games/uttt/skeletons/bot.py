#!/usr/bin/env python3
"""A bot for Ultimate Tic-Tac-Toe (CodinGame) that plays random legal moves. To improve it, change `choose`.

A move is a row and a column, 0 to 8: `4 4` is the centre. In each turn the judge sends a line with the opponent's last move, or `-1 -1`,
a line with the number of legal moves, and a line for each legal move.
"""

# {common}

# Time limit in seconds for each answer; the first answer has 1 s. A search must end in time.
TIME = time_limit(0.1)

def choose(last, moves):
    """Returns the move to play, one of the legal moves."""
    return random.choice(moves)


def main():
    while True:
        last = read_line()
        if last.startswith("opening"):  # only `contender match` sends this line, before an opening
            last = read_line()
        moves = [read_line() for _ in range(int(read_line()))]
        say(choose(last, moves))


main()
