#!/usr/bin/env python3
"""Lists the crates that are compiled into the `contender` command with their licences, as Markdown, without the crates that
only build or test it: `scripts/parts.py [TARGET]`. Exits with 1 if a crate has no licence."""

import json
import subprocess
import sys
from pathlib import Path

target = sys.argv[1] if len(sys.argv) > 1 else "x86_64-unknown-linux-gnu"
asked = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", target]
graph = json.loads(subprocess.run(asked, stdout=subprocess.PIPE, check=True).stdout)
nodes = {node["id"]: node for node in graph["resolve"]["nodes"]}
packages = {package["id"]: package for package in graph["packages"]}


def is_macro(package):
    return any("proc-macro" in kind for made in package["targets"] for kind in made["kind"])


reached = set()
open_ = [name for name, package in packages.items() if package["name"] == "contender-cli"]
while open_:
    name = open_.pop()
    if name in reached or is_macro(packages[name]):
        continue
    reached.add(name)
    open_ += [part["pkg"] for part in nodes[name]["deps"] if any(kind["kind"] is None for kind in part["dep_kinds"])]

# Crates without a source belong to this workspace.
parts = sorted((packages[name] for name in reached if packages[name]["source"]), key=lambda part: part["name"])
print("# Parts of others\n\n| part | version | licence | from |\n|---|---|---|---|")
print("| Rust's standard library | | MIT OR Apache-2.0 | https://github.com/rust-lang/rust |")
if "musl" in target:
    print("| musl, the C library | | MIT | https://musl.libc.org |")
print("| SQLite, within libsqlite3-sys | | public domain | https://sqlite.org |")
for part in parts:
    print(f"| {part['name']} | {part['version']} | {part['license'] or 'not said'} | {part['repository'] or ''} |")

texts = {}
for part in parts:
    for file in sorted(Path(part["manifest_path"]).parent.iterdir()):
        if file.is_file() and file.name.upper().startswith(("LICENSE", "LICENCE", "COPYING", "NOTICE")):
            texts.setdefault(file.read_text(errors="replace").strip(), []).append(part["name"])
for text, names in texts.items():
    print(f"\n## {', '.join(dict.fromkeys(names))}\n\n```text\n{text}\n```")
sys.exit(any(not part["license"] for part in parts))
