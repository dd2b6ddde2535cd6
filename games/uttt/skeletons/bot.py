#!/usr/bin/env python3
"""A bot for Ultimate Tic-Tac-Toe (CodinGame) that plays random legal moves: make `choose` better.

A move is a row and a column, 0 to 8: `4 4` is the centre. Each turn the judge sends the opponent's last move, or `-1 -1`, and the
legal moves.
"""

# {common}

# Seconds for an answer, of which the first has 1 s. A search must end in time.
TIME = time_limit(0.1)

def choose(last, moves):
    """The move to play, of these legal ones."""
    return random.choice(moves)


def main():
    while True:
        last = read_line()
        if last.startswith("opening"):  # never sent by CodinGame: `contender match` with an opening
            last = read_line()
        moves = [read_line() for _ in range(int(read_line()))]
        say(choose(last, moves))


main()
