#!/usr/bin/env python3
"""A bot for Spaghetti (CodeCup 2022) that plays random legal moves. To improve it, change `choose`.

A move is a row a to i, a column a to g and a tile: l (joins top with left and bottom with right), s (straight) or r (top with right,
bottom with left): `cer`. Any tile may be placed on any empty cell. Two tiles are on the board from the start; Blue moves first.
"""

# {common}

# Time limit in seconds for all answers of a game together. A search must end in time.
TIME = time_limit(30)

CELLS = [row + column for row in "abcdefghi" for column in "abcdefg"]


def choose(board, is_blue):
    """Returns the move to play; `board` contains the tile of every filled cell."""
    return random.choice([cell for cell in CELLS if cell not in board]) + random.choice("lsr")


def main():
    board = {}  # cell: tile
    for _ in range(2):
        start = read_line()
        board[start[:2]] = start[2]
    is_blue = None
    while True:
        line = read_line()
        if is_blue is None:
            is_blue = line == "Start"
        if line != "Start":
            board[line[:2]] = line[2]
        move = choose(board, is_blue)
        board[move[:2]] = move[2]
        say(move)


main()
