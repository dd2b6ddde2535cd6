#!/usr/bin/env python3
"""A greedy bot for Entropy (CodeCup 2023) in Python's standard library: copy it and make it stronger.

It speaks the judge's protocol on standard input and output, plays both roles and looks one move ahead: Order makes the move
with the highest score, and Chaos the move with the lowest score. With the same chips it always plays the same game.

    contender match entropy greedy "python3 examples/entropy_bot.py" -n 10

Where to start: the two `evaluate` functions are all it knows of a good move, the two `choose` functions all its looking ahead.
"""

import sys
from functools import lru_cache

SIZE = 7
EMPTY = "."

# A line is a string of seven characters: the colours "1" to "7", or "." for an empty cell.
# A cell is a pair (row, column), both from 0.


@lru_cache(maxsize=None)
def line_score(line):
    """Returns the value of a line: the sum of the lengths of all its palindromes of two or more chips."""
    total = 0
    for start in range(SIZE - 1):
        for end in range(start + 2, SIZE + 1):
            stretch = line[start:end]
            if EMPTY in stretch:
                break
            if stretch == stretch[::-1]:
                total += len(stretch)
    return total


class Board:
    """The chips on the board. The bag contains the rest of seven chips of each colour."""

    def __init__(self):
        self.cells = [[EMPTY] * SIZE for _ in range(SIZE)]

    def __getitem__(self, cell):
        row, column = cell
        return self.cells[row][column]

    def __setitem__(self, cell, colour):
        row, column = cell
        self.cells[row][column] = colour

    def row_score(self, row):
        return line_score("".join(self.cells[row]))

    def column_score(self, column):
        return line_score("".join(row[column] for row in self.cells))

    def lines_score(self, cells):
        """Returns the total value of the rows and columns through these cells; a move changes no other lines."""
        rows = {row for row, _ in cells}
        columns = {column for _, column in cells}
        return sum(map(self.row_score, rows)) + sum(map(self.column_score, columns))

    def slide(self, source, target):
        """Moves a chip; a slide from `target` to `source` takes the move back."""
        colour = self[source]
        self[source] = EMPTY
        self[target] = colour

    def empty_cells(self):
        """Returns the moves of Chaos."""
        return [(r, c) for r in range(SIZE) for c in range(SIZE) if self.cells[r][c] == EMPTY]

    def slides(self):
        """Returns the moves of Order except the pass, as pairs (source, target)."""
        for row in range(SIZE):
            for column in range(SIZE):
                if self.cells[row][column] == EMPTY:
                    continue
                for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0)):
                    r, c = row + down, column + right
                    while 0 <= r < SIZE and 0 <= c < SIZE and self.cells[r][c] == EMPTY:
                        yield (row, column), (r, c)
                        r, c = r + down, c + right


def evaluate_placement(board, cell, colour):
    """Returns the points that a placement adds; fewer points are better for Chaos."""
    before = board.lines_score([cell])
    board[cell] = colour
    after = board.lines_score([cell])
    board[cell] = EMPTY
    return after - before


def evaluate_slide(board, source, target):
    """Returns the points that a slide adds; more points are better for Order."""
    before = board.lines_score([source, target])
    board.slide(source, target)
    after = board.lines_score([source, target])
    board.slide(target, source)
    return after - before


def choose_placement(board, colour):
    """Returns the placement of Chaos; of equally good placements, the first one row by row."""
    return min(board.empty_cells(), key=lambda cell: evaluate_placement(board, cell, colour))


def choose_slide(board, placed):
    """Returns the slide of Order, or a pass (from the cell that was just filled to itself) if no slide gains points."""
    best, best_gain = (placed, placed), 0
    for source, target in board.slides():
        gain = evaluate_slide(board, source, target)
        if gain > best_gain:
            best, best_gain = (source, target), gain
    return best


def read_line():
    """Returns the judge's next line. Exits when the game is over."""
    line = sys.stdin.readline()
    if not line or line.strip() == "Quit":
        sys.exit(0)
    return line.strip()


def say(text):
    print(text, flush=True)


def read_cell(text):
    """`Bc` is the second row and the third column."""
    return ord(text[0]) - ord("A"), ord(text[1]) - ord("a")


def write_cell(cell):
    row, column = cell
    return chr(ord("A") + row) + chr(ord("a") + column)


def play_chaos():
    """Reads a colour, answers with a cell, reads Order's move, and so on."""
    board = Board()
    while True:
        colour = read_line()
        cell = choose_placement(board, colour)
        board[cell] = colour
        say(write_cell(cell))
        move = read_line()
        source, target = read_cell(move[:2]), read_cell(move[2:])
        if source != target:
            board.slide(source, target)


def play_order(line):
    """Reads a placement with its colour (`3Bc`), answers with a slide (`BcBg`) or a pass (`BcBc`), and so on."""
    board = Board()
    while True:
        placed = read_cell(line[1:])
        board[placed] = line[0]
        source, target = choose_slide(board, placed)
        if source != target:
            board.slide(source, target)
        say(write_cell(source) + write_cell(target))
        line = read_line()


def main():
    # The first line shows the role: Chaos reads `Start`, and Order reads the first placement.
    first = read_line()
    if first == "Start":
        play_chaos()
    else:
        play_order(first)


if __name__ == "__main__":
    main()
