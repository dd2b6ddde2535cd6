"""Answers a share of its card, in per cent; with a second argument it misbehaves in its second turn."""

import sys
import time

share = int(sys.argv[1])
fault = sys.argv[2] if len(sys.argv) > 2 else ""
for number, line in enumerate(sys.stdin):
    print(f"turn {number}", file=sys.stderr, flush=True)
    if number == 1 and fault == "crash":
        raise ValueError("a bug")
    if number == 1 and fault == "garbage":
        print("what?", flush=True)
    if number == 1 and fault == "late":
        time.sleep(77777)
    print(int(line.split()[1]) * share // 100, flush=True)
