#!/usr/bin/env bash
# Creates a custom game of each kind, builds the workbench with it, checks the rules, plays, trains with each method,
# plays with the results, and packs. Prints the time from `contender new game` to the end of the first match. It takes
# minutes, so it is not a test.
# Usage: scripts/check-own-game.sh [FOLDER]   (a new folder; the builds share FOLDER/target, so the first takes longest)
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
        # Commands that the first build leaves out name the feature that includes them.
        cargo check --release --features train,web,games
        { "$own" web 2>&1 || true; } | grep -q -- "--features web -- web"
        "$own" pack "$name" --bot "$strong" -o bot.rs --verify --nodes 200
        learner=$(sed -n 's/^# A recipe for the network of `\([a-z]*\)`.*/\1/p' train.toml)
        cargo run --release --features train -- train train.toml --quiet
        echo "$kind: the network alone after a minute, load $(cut -d' ' -f1 /proc/loadavg)"
        "$own" match "$name" "$learner:net=training/network.bin" random -n 200 --nodes 1 --quiet
        # Adds the network to the bot, as the last lines of src/network.rs explain.
        cp training/network.bin .
        sed -i '/^    \/\/     fn network/,/^    \/\/     }/s/^    \/\/     /    /' src/network.rs
        cargo build --release
        "$own" pack "$name" --bot "$learner" -o learner.rs --verify --nodes 50
        if [ -e evaluation.toml ]; then
            cargo run --release --features train -- train evaluation.toml -o evaluation --quiet
            SECONDS=0
            cargo run --release --features train -- train value.toml -o value --quiet
            echo "$kind: the weights after a minute, the network after $SECONDS s, load $(cut -d' ' -f1 /proc/loadavg)"
            weights=alphabeta:weights=evaluation/weights.txt
            network=alphabeta:weights=value/net.bin
            for bot in weights="$weights" network="$network" without=alphabeta; do
                "$own" match "$name" "$bot" random -n 200 --nodes 30 --quiet
            done
            "$own" match "$name" network="$network" weights="$weights" -n 200 --nodes 30 --quiet
            # Adds the weights to the bot, and then the network instead, as src/features.rs explains.
            cp evaluation/weights.txt value/net.bin .
            sed -i '/^    \/\/     fn evaluation/,/^    \/\/     }/s/^    \/\/     /    /' src/features.rs
            for file in weights.txt net.bin; do
                sed -i "s/include_data!(.*)/include_data!(\"..\/$file\")/" src/features.rs
                cargo build --release
                "$own" pack "$name" --bot alphabeta -o alphabeta.rs --verify --nodes 50
            done
        fi
    )
done
echo "all four kinds are made, built, checked, played, trained and packed in $folder"
