import random
import sys


def read_line():
    """The judge's next line. Leaves when the game is over."""
    line = sys.stdin.readline()
    if not line or line.strip() == "Quit":
        sys.exit(0)
    return line.strip()


def say(text):
    """Answers. Without the flush the judge would wait for ever."""
    print(text, flush=True)
