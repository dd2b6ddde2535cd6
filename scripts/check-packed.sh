#!/usr/bin/env bash
# Packs every bundled bot, with and without --minify, and checks that each file
#  - compiles alone with each of the given compilers, and without a warning if it is not minified,
#  - plays the same moves as the unpacked bot, in `contender match` with a node budget.
#
# Usage: scripts/check-packed.sh [RUSTC...]        for example: scripts/check-packed.sh rustc "rustc +1.66.1"
#
# Environment variables, with defaults:
#   CONTENDER     target/release/contender
#   FOLDER        a temporary folder for the packed files; files that exist already are not packed again
#   PAIRS, NODES  2, 200: pairs per match (0: no matches) and nodes per move
#   BOTS          *: a pattern of file names
#   EDITION, FLAGS  2021, -O: for the compiler
set -uo pipefail
cd "$(dirname "$0")/.."
contender=${CONTENDER:-target/release/contender}
folder=${FOLDER:-$(mktemp -d)}
pairs=${PAIRS:-2}
nodes=${NODES:-200}
read -r -a flags <<<"--edition ${EDITION:-2021} ${FLAGS:--O}"
compilers=("$@")
[ $# -gt 0 ] || compilers=(rustc)
[ -x "$contender" ] || { echo "no $contender; cargo build --release -p contender-cli, or set CONTENDER" >&2; exit 2; }
failed=0
fail() { echo "FAIL $*"; failed=1; }

mkdir -p "$folder"
# A file over its judge's limit is not a failure here. If a bot cannot be packed, there is no file.
[ -d "$folder/readable" ] || "$contender" pack --all -o "$folder/readable" >"$folder/readable.md"
[ -d "$folder/minified" ] || "$contender" pack --all --minify -o "$folder/minified" >"$folder/minified.md" ||
    fail "a bot does not pack, or is over its limit: $folder/minified.md"

moves() { grep -o '"moves":\[[^]]*\]' "$1"; }

for file in "$folder"/{readable,minified}/${BOTS:-*}.rs; do
    name=$(basename "$file" .rs)
    kind=$(basename "$(dirname "$file")")
    for compiler in "${compilers[@]}"; do
        read -r -a words <<<"$compiler"
        if ! "${words[@]}" "${flags[@]}" --crate-name bot -o "$folder/bot" "$file" >"$folder/log" 2>&1; then
            fail "$kind $name does not compile with $compiler: $(grep -m 1 '^error' "$folder/log")"
        elif [ -s "$folder/log" ] && [ "$kind" = readable ]; then
            fail "$kind $name has warnings with $compiler: $(grep -m 1 '^warning' "$folder/log")"
        else
            echo "ok   $kind $name compiles with $compiler"
        fi
    done
    [ "$pairs" -gt 0 ] && [ -x "$folder/bot" ] || continue
    game=${name%%-*}
    bot=${name#*-}
    rm -f "$folder"/{packed,unpacked}.jsonl
    play=(-n "$pairs" --nodes "$nodes" --seed 7 -j 1 --quiet)
    "$contender" match "$game" "$bot" "packed=$folder/bot --nodes {nodes} --seed {seed}" "${play[@]}" --time 60s \
        --log "$folder/packed.jsonl" >/dev/null 2>"$folder/log" || fail "$kind $name: $(tail -n 1 "$folder/log")"
    "$contender" match "$game" "$bot" "$bot" "${play[@]}" --time 60s --log "$folder/unpacked.jsonl" >/dev/null
    if [ -s "$folder/packed.jsonl" ] && diff <(moves "$folder/packed.jsonl") <(moves "$folder/unpacked.jsonl") >/dev/null; then
        echo "ok   $kind $name plays $((2 * pairs)) games of $(moves "$folder/packed.jsonl" | tr , '\n' | wc -l) moves like the unpacked bot"
    else
        fail "$kind $name plays other games than the unpacked bot"
    fi
done
exit $failed
