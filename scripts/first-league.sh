#!/bin/sh
# From a clone to the moves of a new Python bot that cost most, and to its rank in a league of six, and how long each
# takes. With the command given it is not built.
#
#   scripts/first-league.sh [GAMES] [CONTENDER]        default: 60, and the command of this clone
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
# The bundled bots think for a thousand nodes a move, or a league at the contest's clock takes hours.
sed -i 's/^# nodes = .*/nodes = 1000/' league.toml
for bot in random greedy expectimax:depth=1 expectimax classic; do
    "$contender" league add "$(echo "$bot" | tr -d ':=')" "$bot"
done
"$contender" league add mine "python3 my-bot/bot.py"
"$contender" league run --games "$games"
"$contender" league show | grep ' mine '
since "the rank of the new bot"
