#!/usr/bin/env python3
"""A bot for Entropy (CodeCup 2023) that plays random legal moves. To improve it, change the two `choose` functions.

A cell is a pair (row, column) from 0, written `Bc` for (1, 2); a colour is a digit "1" to "7". Chaos places the drawn chip, and
then Order slides a chip along its row or column over empty cells, or passes.
"""

# {common}

# Time limit in seconds for all answers of a game together. A search must end in time.
TIME = time_limit(30)

SIZE = 7


def choose_placement(board, colour):
    """Returns the cell on which Chaos puts a chip: any empty cell."""
    cells = [(row, column) for row in range(SIZE) for column in range(SIZE)]
    return random.choice([cell for cell in cells if cell not in board])


def choose_slide(board, placed):
    """Returns Order's move, from one cell to another. A move from the cell that Chaos has just filled to itself is a pass."""
    return random.choice(list(slides(board)) + [(placed, placed)])


def slides(board):
    """Returns all moves of Order except the pass."""
    for row, column in board:
        for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            r, c = row + down, column + right
            while 0 <= r < SIZE and 0 <= c < SIZE and (r, c) not in board:
                yield (row, column), (r, c)
                r, c = r + down, c + right


def read_cell(text):
    return ord(text[0]) - ord("A"), ord(text[1]) - ord("a")


def write_cell(cell):
    return chr(ord("A") + cell[0]) + chr(ord("a") + cell[1])


def play_chaos(board):
    """Reads a colour (`3`), answers with a cell (`Bc`), reads Order's move (`BcBg`), and so on."""
    while True:
        colour = read_line()
        cell = choose_placement(board, colour)
        board[cell] = colour
        say(write_cell(cell))
        move = read_line()
        board[read_cell(move[2:])] = board.pop(read_cell(move[:2]))


def play_order(board, line):
    """Reads a placement with its colour (`3Bc`), answers with a slide (`BcBg`) or a pass (`BcBc`), and so on."""
    while True:
        placed = read_cell(line[1:])
        board[placed] = line[0]
        source, target = choose_slide(board, placed)
        board[target] = board.pop(source)
        say(write_cell(source) + write_cell(target))
        line = read_line()


def main():
    board = {}  # cell: colour
    first = read_line()
    if first == "Start":
        play_chaos(board)
    else:
        play_order(board, first)


main()
