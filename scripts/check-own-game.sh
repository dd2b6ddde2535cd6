#!/usr/bin/env bash
# Makes a game of each kind, builds the workbench with it, plays, trains where that kind can be trained, checks and
# packs: minutes of work, so it is no test. Says how long it is from `contender new game` to the end of the first match.
# Usage: scripts/check-own-game.sh [FOLDER]   (a new folder; the builds share FOLDER/target, so the first is the longest)
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(realpath -m "${1:-$(mktemp -d)}")
mkdir -p "$folder"
cargo build --release --locked
contender=$PWD/target/release/contender
export CARGO_TARGET_DIR=$folder/target
cd "$folder"
for kind in turns chance hidden simultaneous; do
    name=my-$kind
    SECONDS=0
    "$contender" new game "$name" --kind "$kind"
    strong=$(grep -o 'match .* random [a-z]*' "$name/README.md" | awk '{ print $4 }')
    (
        cd "$name"
        cargo run --release -- match "$name" random "$strong" -n 20 --nodes 1000 --quiet
        echo "$kind: first match after $SECONDS s, load $(cut -d' ' -f1 /proc/loadavg)"
        cargo test -q -p "$name"
        own=$CARGO_TARGET_DIR/release/$name
        "$own" check-rules "$name"
        if [ -e train.toml ]; then
            "$own" train train.toml --quiet
            "$own" match "$name" puct:net=training/network.bin random -n 50 --nodes 50 --quiet
        fi
        "$own" pack "$name" --bot "$strong" -o bot.rs --verify --nodes 200
    )
done
echo "all four kinds are made, built, checked, played and packed in $folder"
