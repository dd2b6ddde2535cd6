#!/usr/bin/env python3
"""A picture of what first moves are worth in Spaghetti (CodeCup 2022): one board for each tile, a colour for each cell.

    contender analyse spaghetti --bot flat:games=gain --nodes 36600000 --setup start=cds+ebr --all --json > early.json
    python3 examples/spaghetti_openings.py < early.json > openings.svg
"""

import json
import sys

ROWS, COLUMNS, SIDE = 9, 7, 30
MARGIN, TOP = 24, 40
BOARD_WIDTH = COLUMNS * SIDE + MARGIN


def colour(share):
    """From red at 0 over white at a half to blue at 1."""
    fade = round(255 * (1 - abs(2 * share - 1)))
    return f"rgb({fade},{fade},255)" if share > 0.5 else f"rgb(255,{fade},{fade})"


analysis = json.load(sys.stdin)
worth = {move["move"]: (move["low"] + move["high"]) / 2 for move in analysis["moves"]}
least, most = min(worth.values()), max(worth.values())
width, height = 3 * BOARD_WIDTH + MARGIN, TOP + ROWS * SIDE + MARGIN
print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="11">')
print('<rect width="100%" height="100%" fill="white"/>')
for board, tile in enumerate("lsr"):
    left = MARGIN + board * BOARD_WIDTH
    print(f'<text x="{left}" y="16" font-size="13">first move: tile {tile}</text>')
    for row in range(ROWS):
        print(f'<text x="{left - 12}" y="{TOP + row * SIDE + 19}">{"abcdefghi"[row]}</text>')
        for column in range(COLUMNS):
            x, y = left + column * SIDE, TOP + row * SIDE
            if row == 0:
                print(f'<text x="{x + 11}" y="{TOP - 5}">{"abcdefg"[column]}</text>')
            points = worth.get("abcdefghi"[row] + "abcdefg"[column] + tile)
            fill = "#999" if points is None else colour((points - least) / (most - least))
            print(f'<rect x="{x}" y="{y}" width="{SIDE}" height="{SIDE}" fill="{fill}" stroke="#666"/>')
            if points is not None:
                print(f'<text x="{x + 3}" y="{y + 19}" font-size="10">{points:.1f}</text>')
print(f'<text x="{MARGIN}" y="{height - 6}">points of the first player by the end: {least:.1f} (red) to {most:.1f} (blue)</text>')
print("</svg>")
