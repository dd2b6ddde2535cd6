import random
import sys


def read_line():
    """Returns the judge's next line. Exits when the game is over."""
    line = sys.stdin.readline()
    if not line or line.strip() == "Quit":
        sys.exit(0)
    return line.strip()


def say(text):
    """Sends an answer. Without the flush, the judge would wait forever."""
    print(text, flush=True)


def time_limit(usual):
    """Returns the time limit in seconds: `--time S` if given (judges never pass it), or else the contest's limit."""
    return float(sys.argv[sys.argv.index("--time") + 1]) if "--time" in sys.argv else usual
