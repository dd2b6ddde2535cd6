#!/usr/bin/env python3
"""Checks the repository against ARCHITECTURE.md and CONTRIBUTING.md: `.ci/house.py [CHECK...]`, by default all checks. Prints
every violation, and exits with 1 if there is one.

crates    a crate only uses crates below it in ARCHITECTURE.md's list, and a game uses no other game
circles   the imports between the files and folders of one folder of a crate have no cycle; a file like `search.rs` and the
          folder `search/` next to it count as one
names     every name in backticks in ARCHITECTURE.md and CONTRIBUTING.md exists
rows      every row "`NAME` in `FILE`" in CONTRIBUTING.md names a definition that the file contains
tests     every file in a crate's `tests/all` is a module of its `main.rs`, so that all tests run
columns   no comment is wider than 120 columns, except rows of tables
words     pages, strings and doc comments contain at most LEVELS of the words that CONTRIBUTING.md ("Plain words") advises
          against; prints a note if a level can be lowered
"""

import re
import sys
import tomllib
from pathlib import Path

HOUSE = Path(__file__).resolve().parent.parent
CRATES = sorted(manifest.parent for storey in ("kit", "games", "workbench") for manifest in HOUSE.glob(f"{storey}/*/Cargo.toml")) + [HOUSE / "lab"]
LONGEST = 120
IMPORT = re.compile(r"^[ \t]*(pub(?:\([^)]*\))?\s+)?use\s+([^;]+);", re.M)
DEFINES = r"\b(?:fn|struct|enum|union|trait|type|const|static|mod|macro_rules!)\s+(?:mut\s+)?{}\b"


def crates():
    """Yields dependencies that are not below their crate in the list."""
    picture = (HOUSE / "ARCHITECTURE.md").read_text().split("```")[1]
    order = [name for name in re.findall(r"^  (\w+)/ ", picture, re.M)]
    storeys = {name: storey for storey in ("workbench", "kit") for name in order if (HOUSE / storey / name).is_dir()}
    height = {f"{storeys[name]}/{name}": -place for place, name in enumerate(order)} | {"lab": 1}
    kit = [height[crate] for crate in height if crate.startswith("kit/")]
    for crate in CRATES:
        path = str(crate.relative_to(HOUSE))
        here = height.get(path, max(kit) + 0.5 if path.startswith("games/") else None)
        if here is None:
            yield f"{path} is not in ARCHITECTURE.md's list"
            continue
        manifest = tomllib.loads((crate / "Cargo.toml").read_text())
        for name in manifest.get("dependencies", {}):
            below = [other for other in CRATES if name == f"contender-{other.name}"]
            for other in (str(other.relative_to(HOUSE)) for other in below):
                if height.get(other, max(kit) + 0.5) >= here:
                    yield f"{path} uses {other}, which ARCHITECTURE.md does not list below it"


def code(text):
    """Returns Rust code without comments, contents of strings, and test modules."""
    strings = r"""//[^\n]*|/\*.*?\*/|b?r(#*)".*?"\1|b?"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])'"""
    text = re.sub(strings, lambda found: " " if found[0].startswith("/") else '""', text, flags=re.S)
    while tests := re.search(r"#\[cfg\(test\)\]\s*(?:pub )?mod \w+ \{", text):
        end, depth = tests.end(), 1
        while depth and end < len(text):
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        text = text[: tests.start()] + text[end:]
    return text


def paths(tree):
    """Yields the paths of `a::{b, c as d}`, each with its local name."""
    tree = re.sub(r"\s+", " ", tree.strip())
    group = re.fullmatch(r"((?:\w+::)*)\{(.*)\}", tree)
    if not group:
        path, _, name = tree.partition(" as ")
        path = path.split("::")
        return [(path, name or path[-1])]
    head, items, depth = group[1].split("::")[:-1], [""], 0
    for letter in group[2]:
        depth += {"{": 1, "}": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            items.append("")
        else:
            items[-1] += letter
    found = [pair for item in items if item.strip() for pair in paths(item)]
    return [(head, head[-1]) if path == ["self"] else (head + path, name) for path, name in found]


class Modules:
    """The modules of a crate that are files, by their paths as tuples, and their imports."""

    def __init__(self, folder):
        self.code, self.names, self.globs = {}, {}, {}
        for file in sorted(folder.rglob("*.rs")):
            module = file.relative_to(folder).with_suffix("").parts
            if module == ("main",) and (folder / "lib.rs").exists():
                continue
            module = module[:-1] if module[-1] in ("mod", "lib", "main") else module
            self.code[module] = code(file.read_text())
        for module, text in self.code.items():
            imports = [pair for _, tree in IMPORT.findall(text) for pair in paths(tree)]
            self.names[module] = {name: path for path, name in imports if name != "*"}
            self.globs[module] = [path[:-1] for path, name in imports if name == "*"]

    def start(self, module, path):
        """Returns the module at the start of a path, and the rest of the path, or nothing for other crates."""
        if path[0] == "crate":
            return (), path[1:]
        if path[0] == "self":
            return module, path[1:]
        if path[0] == "super":
            return self.start(module[:-1], ["self"] + path[1:]) if path[1:2] != ["super"] else self.start(module[:-1], path[1:])
        return (module, path) if path[0] and module + (path[0],) in self.code else None

    def home(self, module, path, seen=()):
        """Returns the module that defines the item of a path, through all re-exports, or nothing for other crates."""
        at = self.start(module, path)
        if at is None:
            return None
        module, rest = at
        while rest and module + (rest[0],) in self.code:
            module, rest = module + (rest[0],), rest[1:]
        if not rest or (module, rest[0]) in seen or module not in self.code:
            return module
        defined = re.compile(DEFINES.format(re.escape(rest[0])))
        if not defined.search(self.code[module]):
            seen += ((module, rest[0]),)
            if rest[0] in self.names[module]:
                return self.home(module, self.names[module][rest[0]] + rest[1:], seen) or module
            for path in self.globs[module]:
                other = self.home(module, path, seen)
                if other in self.code and defined.search(self.code[other]):
                    return other
        return module

    def uses(self):
        """Yields pairs of modules of which the first uses the second, with the path. A re-export does not count as a use."""
        for module, text in self.code.items():
            found = [path for public, tree in IMPORT.findall(text) if not public for path, _ in paths(tree)]
            for name in re.findall(r"(?<![\w:])((?:crate|super|self|[a-z_]\w*)(?:::\w+)+)", IMPORT.sub("", text)):
                path = name.split("::")
                if path[0] in self.names[module] and self.start(module, path) is None:
                    path = self.names[module][path[0]] + path[1:]
                found.append(path)
            for path in found:
                other = self.home(module, path[:-1] if path[-1] == "*" else path)
                if other != module and other in self.code:
                    yield module, other, "::".join(path)


def circles():
    """Yields modules of one folder that use each other, directly or indirectly, by comparing their reachable sets."""
    for crate in CRATES:
        neighbours = {}
        for module, other, path in Modules(crate / "src").uses():
            common = next(at for at in range(len(module) + 1) if module[: at + 1] != other[: at + 1])
            if common < min(len(module), len(other)):
                pair = module[: common + 1], other[: common + 1]
                neighbours.setdefault(pair[0], {}).setdefault(pair[1], f"{'/'.join(module)} uses {path}")
        for room in sorted(neighbours):
            reached, ways = {}, [(other, [why]) for other, why in neighbours[room].items()]
            while ways:
                other, why = ways.pop(0)
                if other not in reached:
                    reached[other] = why
                    ways += [(next_, why + [reason]) for next_, reason in neighbours.get(other, {}).items()]
            if room in reached:
                yield f"{crate.relative_to(HOUSE)}: {'/'.join(room)} is in a circle: " + "; ".join(reached[room])


def names():
    """Yields names in the two pages that are not a file, definition, field or variant."""
    files = [file for folder in ("", "kit", "games", "workbench", "fuzz", "scripts", ".ci", ".cargo") for file in (HOUSE / folder).glob("*")]
    files += [file for folder in (*CRATES, HOUSE / "docs") for file in folder.rglob("*")]
    trees = [f"/{file.relative_to(HOUSE)}/" for file in files]
    texts = [file.read_text() for file in files if file.suffix == ".rs"]
    raw, rust = "\n".join(texts), "\n".join(code(text) for text in texts)
    for page in ("ARCHITECTURE.md", "CONTRIBUTING.md"):
        prose = re.sub(r"```.*?```", "", (HOUSE / page).read_text(), flags=re.S)
        for name in sorted(set(re.findall(r"`([^`\n]+)`", prose))):
            if re.fullmatch(r"[\w.-]*/[\w./-]*|[\w-]+\.\w+", name):
                known = name.startswith("..") or "NAME" in name or any(f"/{name.strip('/')}/" in tree for tree in trees)
            elif re.fullmatch(r"[A-Z_]+|\w+_", name):
                known = re.search(rf"\b{name}", raw)
            elif re.fullmatch(r"[A-Za-z_]\w*(::\w+)*(\(.*\)|!)?", name) and not name.startswith("clippy::"):
                parts = re.sub(r"[(!].*", "", name).split("::")
                known = all(re.search(DEFINES.format(part) + rf"|\b{part}\s*[:,({{]", rust) or f"/{part}/" in "".join(trees)
                            for part in parts)
            else:
                continue
            if not known:
                yield f"{page}: nothing is called `{name}`"


def rows():
    """Yields rows of "Where to change what" whose file does not contain the definition."""
    table = (HOUSE / "CONTRIBUTING.md").read_text()
    found = re.findall(r"((?:`[\w!]+`(?: or | and |, )?)+) in `([\w./-]+\.rs)`", table)
    for names, path in found:
        file = HOUSE / path
        text = file.read_text() if file.is_file() else ""
        for name in re.findall(r"`(\w+)!?`", names):
            if "NAME" not in path and not re.search(DEFINES.format(name), text):
                yield f"CONTRIBUTING.md: `{name}` is not defined in {path}"
    if len(found) < 10:
        yield f"CONTRIBUTING.md: only {len(found)} rows name a definition and its file"


def tests():
    """Yields files next to a test program that are not one of its modules."""
    for program in sorted(HOUSE.glob("*/*/tests/all/main.rs")):
        modules = re.findall(r"^mod (\w+);", program.read_text(), re.M)
        for file in sorted(program.parent.iterdir()):
            if file.suffix == ".rs" and file.stem not in ("main", *modules) or (file / "mod.rs").exists() and file.name not in modules:
                yield f"{file.relative_to(HOUSE)} is no module of {program.relative_to(HOUSE)}"


def columns():
    """Yields comments that are too wide."""
    for file in sorted(file for folder in ("kit", "games", "workbench", "lab", "fuzz") for file in (HOUSE / folder).rglob("*.rs")):
        if "target" not in file.parts:
            for at, line in enumerate(file.read_text().splitlines(), 1):
                comment = re.match(r"\s*//[/!]?\s*(.?)", line)
                if len(line) > LONGEST and comment and comment[1] != "|":
                    yield f"{file.relative_to(HOUSE)}:{at}: {len(line)} columns"


# Words to avoid, and replacements.
MARKERS = {
    "where": (r"\bwhere\b", "if, when; `where` is for places"),
    "free clause": (r"(?:^|[.!?] )(?:Who|What|Whose|Where|Which|How|Of|By(?! default))\b(?![^.]*\?)",
                    "first a verb, a noun, or the name of the actor"),
    "nobody": (r"\bnobody\b", "the name of the actor, or what does not happen"),
    "anew": (r"\banew\b", "again, from scratch"),
    "beside": (r"\bbesides?\b", "next to, compared with, in addition to"),
    "in place of": (r"\bin place of\b", "instead of"),
    "is to": (r"\b(?:is|are) to\b", "must, should, will"),
    "so many": (r"\bso (?:many|long|much)\b(?! (?:that|as))", "the name of the number: N games, at most N"),
    "is told": (r"\b(?:is|are) (?:said|told|asked|had|noticed)\b", "an active verb, with the tool as the subject"),
    "is no": (r"(?<!there )\b(?:is|are) (?:no|none)\b", "not a, invalid, unknown, not found"),
    "of others": (r"\bof others\b", "external, third-party"),
    "the same": (r"(?:^|[.] )The same(?:[.,;:]|(?: (?:of|as|in|for|with|where|from))\b)", "the name of the object"),
    "luck": (r"\bluck\b", "seed, randomness"),
}
# Maximum numbers in pages, in strings of the code, and in doc comments. These numbers only go down.
LEVELS = {
    "where": (2, 1, 8),
    "free clause": (0, 0, 9),
    "nobody": (4, 0, 0),
    "anew": (0, 0, 0),
    "beside": (0, 0, 0),
    "in place of": (0, 0, 0),
    "is to": (0, 0, 0),
    "so many": (1, 1, 0),
    "is told": (0, 4, 0),
    "is no": (2, 18, 6),
    "of others": (0, 0, 0),
    "the same": (0, 0, 0),
    "luck": (0, 6, 0),
}


def texts():
    """Yields every text for readers: its kind (page, string, doc comment), its place, and its words without code."""
    pages = [file for folder in ("docs", "games") for file in (HOUSE / folder).rglob("*.md")] + list(HOUSE.glob("*.md"))
    for file in sorted(pages):
        prose = re.sub(r"```.*?```", lambda block: re.sub(r"[^\n]", "", block[0]), file.read_text(), flags=re.S)
        for at, line in enumerate(prose.splitlines(), 1):
            yield 0, f"{file.relative_to(HOUSE)}:{at}", re.sub(r"`[^`]*`|\"[^\"]*\"", "`", line).strip(" -*|")
    for file in sorted(file for crate in CRATES for file in (crate / "src").rglob("*.rs")):
        path, text, block, start = file.relative_to(HOUSE), file.read_text(), [], 0
        for at, line in enumerate(text.splitlines() + [""], 1):
            comment = re.match(r"\s*//[/!] ?(.*)", line)
            if comment and comment[1].strip():
                start = start if block else at
                block.append(comment[1])
            elif block:
                yield 2, f"{path}:{start}", re.sub(r"`[^`]*`", "`", " ".join(block))
                block = []
        rust = re.sub(r"^\s*//.*$", "", text.split("#[cfg(test)]\nmod tests")[0], flags=re.M)
        for string in re.finditer(r"""(?<!')"((?:\\.|[^"\\])*)\"""", rust):
            if len(re.findall(r"[A-Za-z]{2,}", string[1])) > 2:
                yield 1, f"{path}:{rust[: string.start()].count(chr(10)) + 1}", re.sub(r"`[^`]*`", "`", string[1])


def words():
    """Yields markers that are more frequent than their level, with all places and the rule."""
    found = {name: ([], [], []) for name in MARKERS}
    for kind, place, text in texts():
        for name, (pattern, _) in MARKERS.items():
            found[name][kind].extend([place] * len(re.findall(pattern, text)))
    for name, (_, rule) in MARKERS.items():
        for kind, places in enumerate(found[name]):
            level, reader = LEVELS.get(name, (0, 0, 0))[kind], ("pages", "strings", "doc comments")[kind]
            if len(places) > level:
                yield f'"{name}" in {reader}: {len(places)} places, at most {level}. Write {rule}: ' + ", ".join(places)
            elif len(places) < level:
                print(f'note: "{name}" in {reader}: lower the level from {level} to {len(places)}')


CHECKS = {check.__name__: check for check in (crates, circles, names, rows, tests, columns, words)}

if __name__ == "__main__":
    wrong = 0
    for name in sys.argv[1:] or CHECKS:
        if name not in CHECKS:
            sys.exit(f"unknown check {name}; available: {', '.join(CHECKS)}")
        for line in CHECKS[name]():
            wrong += 1
            print(f"{name}: {line}")
    if wrong:
        sys.exit(f"{wrong} violations")
    print("all checks passed")
