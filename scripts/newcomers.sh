#!/usr/bin/env bash
# Repeats the first steps of six kinds of newcomers, each in its own folder, and prints the results with the seconds.
#
#   scripts/newcomers.sh [WAY...]      python cpp rust game training web; default: all
#
# CONTENDER  the command; default: target/release/contender, which is built if it is missing
set -euo pipefail
cd "$(dirname "$0")/.."
clone=$PWD
[ -n "${CONTENDER:-}" ] || cargo build --locked --release
contender=$(realpath "${CONTENDER:-target/release/contender}")

# A Python author: the costliest moves, and the rank in a league of six bots.
python() { "$clone/scripts/first-league.sh" 20 "$contender"; }

# An author with a compiled bot: its check and its costliest moves.
compiled() {
    "$contender" check uttt "$1" | tail -n 1
    "$contender" match uttt greedy "mine=$1" -n 5 --quiet --log mine.jsonl | tail -n 1
    "$contender" review mine.jsonl --player mine --decisions 50 --quiet | grep -m 1 'given away'
}

cpp() {
    "$contender" new bot uttt --language cpp -o my-bot >/dev/null
    g++ -std=c++17 -O2 -o my-bot/bot my-bot/bot.cpp
    compiled my-bot/bot
}

# The kit has no dependencies, so nothing is fetched.
rust() {
    "$contender" new bot uttt --language rust --workspace "$clone" -o my-bot >/dev/null
    cargo build --quiet --offline --release --manifest-path my-bot/Cargo.toml
    compiled "$(find my-bot/target/release -maxdepth 1 -type f -executable | head -n 1)"
}

# A custom game of each of four kinds: its rules are checked, and it is played, trained if possible, and packed.
game() { "$clone/scripts/check-own-game.sh" "$PWD"; }

# A training of one minute: the result wins against untrained weights.
training() {
    "$contender" train "$clone/games/entropy/train.toml" --minutes 1 --quiet
    "$contender" train status training | head -n 1
    "$contender" match entropy classic:weights=training/weights.txt greedy -n 10 --nodes 200 --quiet | tail -n 1
}

# The web app: a league is created, gets bots and plays, and one of its games is shown.
web() {
    "$contender" web --port 0 >address 2>/dev/null &
    local server=$! address host
    trap 'kill $server' RETURN
    until address=$(grep -m 1 -o 'http://[^ ]*' address); do sleep 0.05; done
    host=${address%%/\?*}
    ask() { curl --fail --silent --show-error --cookie cookies --cookie-jar cookies "$@"; }
    ask "$address" >/dev/null
    send() { ask --output /dev/null --header "Origin: $host" "$host/league/$1" "${@:2}"; }
    send new -d name=mine -d game=uttt
    for bot in greedy random; do send add -d dir=mine -d name=$bot -d command=$bot; done
    send start -d dir=mine
    until ask "$host/replay?league=mine&game=2&turn=5" 2>/dev/null >game.html; do sleep 0.2; done
    grep -o 'after move 5: [^"<]*' game.html | head -n 1
    send stop -d dir=mine
}

for way in "${@:-python cpp rust game training web}"; do
    for way in $way; do
        folder=$(mktemp -d)
        SECONDS=0
        echo "== $way"
        (cd "$folder" && $way)
        echo "== $way: $SECONDS s"
        rm -rf "$folder"
    done
done
