#!/usr/bin/env python3
"""Repeats the quick claims of lab/notes/claims.md, and checks whether each figure still agrees with the stated one:

    lab/claims.py [TEXT]     # only the claims whose row contains this text

A match agrees if its figure is within the stated interval, a speed if it differs by at most a tenth from the stated one. Speeds
use processor time; if other programs take more than a tenth of the core, they are not comparable. CONTENDER is the command.
Exits 1 if a claim does not agree.
"""

import datetime
import json
import os
import re
import resource
import shlex
import subprocess
import sys
import time
from pathlib import Path

PAGE = Path(__file__).resolve().parent / "notes/claims.md"


def rows(text):
    """Returns the claim, the command and the stated figure of each row in the table of quick claims."""
    part = text.split("\n## Quick\n")[1].split("\n## ")[0]
    for line in part.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 3 and cells[1].startswith("`contender "):
            yield cells[0], cells[1].strip("`"), cells[2]


def processor():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(command):
    """Returns the JSON output of a command, and the share of a core that it used."""
    since, used = time.monotonic(), processor()
    words = shlex.split(command)[1:] + ["--json"]
    done = subprocess.run([os.environ.get("CONTENDER", "contender"), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{command}: exit code {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout), (processor() - used) / (time.monotonic() - since)


def judge(stated, found, share):
    """Returns the current figure in the form of the stated one, and whether they agree; None if that is unknown."""
    numbers = [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", stated)]
    if isinstance(found, list):
        speed = found[0]["per_second"] / 1e6 / min(share, 1)
        agrees = abs(speed / numbers[0] - 1) <= 0.1
        return f"{speed:.2f} M a second", agrees if agrees or share > 0.9 else None
    _, low, high = numbers
    if stated.split()[0].endswith("%"):
        now = 100 * found["win_rate"]
        return f"{now:.1f}%", low <= round(now, 1) <= high
    now = found["difference"]["mean"]
    return f"{now:+.1f}", low <= round(now, 1) <= high


def main():
    wanted = " ".join(sys.argv[1:])
    if wanted in ("-h", "--help"):
        print(__doc__)
        return 0
    found = [row for row in rows(PAGE.read_text(encoding="utf-8")) if wanted in f"{row[0]} {row[1]}"]
    if not found:
        raise SystemExit(f"no claim of {PAGE.name} has the text `{wanted}`")
    print(f"{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d %H:%M} UTC, load {os.getloadavg()[0]:.1f}\n")
    print("| claim | stated | now | |\n|---|---|---|---|")
    agree = True
    for claim, command, stated in found:
        now, agrees = judge(stated, *run(command))
        agree &= agrees is not False
        word = {True: "agrees", False: "DIFFERS", None: "a busy core: not told"}[agrees]
        print(f"| {claim} | {stated} | {now} | {word} |", flush=True)
    print(f"\nload {os.getloadavg()[0]:.1f} at the end")
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())
