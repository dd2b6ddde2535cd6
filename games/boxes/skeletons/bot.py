#!/usr/bin/env python3
"""A bot for Box (CodeCup 2025) that plays random legal moves. To improve it, change `choose`.

A placement is the row A to P and the column a to t of the tile's top-left corner, then h (horizontal, 2 x 6 cells) or v (vertical,
6 x 2): `Ikv`. The opponent's moves also contain the tile: `Ik364521v`. A tile is the six colours of its upper row; the lower row has
the reverse order.
"""

# {common}

# Time limit in seconds for all answers of a game together. A search must end in time.
TIME = time_limit(30)

ROWS, COLUMNS = 16, 20


def choose(board, colour, tile):
    """Returns the placement to play; `colour` is the bot's own colour, which scores."""
    return random.choice([(row, column, way) for row in range(ROWS) for column in range(COLUMNS) for way in "hv"
                          if is_legal(board, row, column, way)])


def area(row, column, way):
    height, width = (2, 6) if way == "h" else (6, 2)
    return [(row + r, column + c) for r in range(height) for c in range(width)]


def is_legal(board, row, column, way):
    """Whether the placement is legal: it covers at most four filled cells, and if it covers none, it touches one."""
    cells = area(row, column, way)
    if cells[-1][0] >= ROWS or cells[-1][1] >= COLUMNS:
        return False
    covered = sum(cell in board for cell in cells)
    return covered <= 4 and (covered > 0 or any(
        (r + down, c + right) in board for r, c in cells for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0))))


def lay(board, placement, tile):
    """Puts a tile on the board and colours its cells."""
    row, column, way = placement
    for at in range(6):
        upper, lower = tile[at], tile[5 - at]
        if way == "h":
            board[row, column + at], board[row + 1, column + at] = upper, lower
        else:
            board[row + at, column], board[row + at, column + 1] = lower, upper


def read_move(text):
    return (ord(text[0]) - ord("A"), ord(text[1]) - ord("a"), text[-1]), text[2:-1]


def main():
    board = {}  # (row, column): colour
    colour = read_line()
    lay(board, *read_move(read_line()))
    while True:
        line = read_line()
        if line != "Start":
            lay(board, *read_move(line))
        tile = read_line()
        placement = choose(board, colour, tile)
        lay(board, placement, tile)
        row, column, way = placement
        say(chr(ord("A") + row) + chr(ord("a") + column) + way)


main()
