#!/usr/bin/env python3
"""A bot for Cellularena (CodinGame Winter Challenge 2024) that grows basic organs at random. To improve it, change `choose`.

First the judge sends the width and the height. In each turn it sends the number of cells that are not empty, and a line for each:
`x y type owner id direction parent root`. The owner is 1 for the bot, 0 for the opponent, and -1 for walls and sources. Then come
the bot's stocks of proteins A to D, the opponent's stocks, and the number of the bot's organisms.

The bot answers with a line for each of its organisms: `GROW id x y TYPE direction`, `SPORE id x y` or `WAIT`. `id` is the organ from
which the new one grows. TYPE is BASIC, HARVESTER, TENTACLE or SPORER, and the direction is N, E, S or W.
"""

# {common}

# Time limit in seconds for each answer; the first answer has 1 s. A search must end in time.
TIME = time_limit(0.05)

WAYS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}


class Organ:
    def __init__(self, words):
        self.x, self.y = int(words[0]), int(words[1])
        self.kind, self.is_own, self.dir = words[2], words[3] == "1", words[5]
        self.id, self.parent, self.root = int(words[4]), int(words[6]), int(words[7])


def choose(width, height, walls, sources, organs, stock):
    """Returns one order for each of the bot's organisms, in the order of their roots."""
    # Cells that cannot be grown onto: walls, organs, and cells that the opponent's tentacles guard.
    taken = set(walls) | {(organ.x, organ.y) for organ in organs}
    for organ in organs:
        if organ.kind == "TENTACLE" and not organ.is_own:
            right, down = WAYS[organ.dir]
            taken.add((organ.x + right, organ.y + down))
    orders = []
    for root in sorted({organ.root for organ in organs if organ.is_own}):
        growths = [(organ.id, organ.x + right, organ.y + down)
                   for organ in organs if organ.is_own and organ.root == root for right, down in WAYS.values()]
        growths = [(id, x, y) for id, x, y in growths
                   if 0 <= x < width and 0 <= y < height and (x, y) not in taken]
        if growths and stock[0] > 0:  # a basic organ costs one A
            id, x, y = random.choice(growths)
            stock[0] -= 1
            taken.add((x, y))
            orders.append("GROW %d %d %d BASIC" % (id, x, y))
        else:
            orders.append("WAIT")
    return orders


def main():
    width, height = map(int, read_line().split())
    while True:
        walls, sources, organs = [], {}, []
        for _ in range(int(read_line())):
            words = read_line().split()
            cell = int(words[0]), int(words[1])
            if words[2] == "WALL":
                walls.append(cell)
            elif words[2] in "ABCD":
                sources[cell] = words[2]
            else:
                organs.append(Organ(words))
        stock = list(map(int, read_line().split()))
        read_line()  # the opponent's stock
        read_line()  # the number of answers
        for order in choose(width, height, walls, sources, organs, stock):
            say(order)


main()
