#!/usr/bin/env python3
"""Runs `cargo test`, but two test programs at a time.

Many tests wait for processes and clocks, so that a single program leaves the cores idle. Usage:
.ci/tests.py ARGUMENTS-OF-CARGO-TEST. Documentation tests run last, by cargo itself.
"""
import concurrent.futures
import json
import os
import resource
import subprocess
import sys
import time

PROGRAMS_AT_A_TIME = 2

arguments = sys.argv[1:]
build = subprocess.run(
    ["cargo", "test", *arguments, "--no-run", "--message-format=json-render-diagnostics"], stdout=subprocess.PIPE
)
if build.returncode:
    sys.exit(build.returncode)
programs = []
for line in build.stdout.splitlines():
    message = json.loads(line)
    if message["reason"] == "compiler-artifact" and message["profile"]["test"] and message["executable"]:
        programs.append((message["executable"], os.path.dirname(message["manifest_path"])))


def run(program):
    executable, folder = program
    began = time.monotonic()
    # The variables that tests may read at run time.
    environment = {**os.environ, "CARGO": "cargo", "CARGO_MANIFEST_DIR": folder}
    done = subprocess.run([executable], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    print(f"{time.monotonic() - began:6.0f} s  status {done.returncode}  {executable}", flush=True)
    return done


# The longest first: programs of the command, whose tests start other programs.
programs.sort(key=lambda program: "cli" not in program[1])
with concurrent.futures.ThreadPoolExecutor(PROGRAMS_AT_A_TIME) as pool:
    results = list(pool.map(run, programs))
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(f"processor time with the build: {used.ru_utime:.0f} s user, {used.ru_stime:.0f} s system", flush=True)
for (executable, _), done in zip(programs, results):
    if done.returncode:
        print(f"\n== {executable}")
        sys.stdout.flush()
        sys.stdout.buffer.write(done.stdout)
documentation = subprocess.run(["cargo", "test", *arguments, "--doc"])
sys.exit(documentation.returncode or any(done.returncode for done in results))
