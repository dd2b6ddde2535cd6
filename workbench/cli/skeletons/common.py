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


def time_limit(usual):
    """The limit in seconds: that of the argument `--time S`, which no judge gives, or else the usual one."""
    return float(sys.argv[sys.argv.index("--time") + 1]) if "--time" in sys.argv else usual
