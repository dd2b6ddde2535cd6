#!/bin/sh
# Starts with a clone, creates a Python bot, reviews its costliest moves, and ranks it in a league of six bots. Prints the
# seconds of each step.
#
#   scripts/first-league.sh [GAMES] [CONTENDER]        default: 60, and the command of this clone, which is built
set -eu
games=${1:-60}
start=$(date +%s.%N)
since() { awk -v from="$start" -v to="$(date +%s.%N)" -v what="$1" 'BEGIN { printf "%.0f s to %s\n", to - from, what }'; }
if [ -z "${2:-}" ]; then
    cd "$(dirname "$0")/.."
    cargo build --locked --release
    since "the command that is built"
fi
contender=$(realpath "${2:-target/release/contender}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
"$contender" new bot entropy --language python -o my-bot
"$contender" check entropy "python3 my-bot/bot.py" | tail -n 1
"$contender" match entropy greedy "mine=python3 my-bot/bot.py" -n 5 --quiet --log mine.jsonl >/dev/null
"$contender" review mine.jsonl --player mine --decisions 100 --quiet
since "the moves that cost most"
"$contender" league init entropy 2>/dev/null
# With the contest's time limit the league would take hours, so the bundled bots search 1,000 nodes per move.
sed -i 's/^# nodes = .*/nodes = 1000/' league.toml
for bot in random greedy expectimax:depth=1 expectimax classic; do
    "$contender" league add "$(echo "$bot" | tr -d ':=')" "$bot"
done
"$contender" league add mine "python3 my-bot/bot.py"
"$contender" league run --games "$games"
"$contender" league show | grep ' mine '
since "the rank of the new bot"
