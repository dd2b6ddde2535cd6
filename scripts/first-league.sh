#!/bin/sh
# From a new Python bot to its rank in a league of six, and how long that takes.
#
#   scripts/first-league.sh [GAMES] [CONTENDER]        default: 60 target/release/contender
set -eu
games=${1:-60}
contender=$(realpath "${2:-target/release/contender}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
start=$(date +%s.%N)
"$contender" new bot entropy --language python -o my-bot
"$contender" league init entropy 2>/dev/null
# The bundled bots think for a thousand nodes a move, or a league at the contest's clock takes hours.
sed -i 's/^# nodes = .*/nodes = 1000/' league.toml
for bot in random greedy expectimax:depth=1 expectimax classic; do
    "$contender" league add "$(echo "$bot" | tr -d ':=')" "$bot"
done
"$contender" league add mine "python3 my-bot/bot.py"
"$contender" league run --games "$games"
"$contender" league show | grep ' mine '
awk -v from="$start" -v to="$(date +%s.%N)" 'BEGIN { printf "%.0f s from the new bot to its rank\n", to - from }'
