#!/usr/bin/env bash
# Starts with the folder of a CodinGame challenge and ends with a league of bots under its official referee. Prints the
# seconds of each step.
#
#   scripts/referee-league.sh FOLDER [GAMES] [NAME=COMMAND ...]     default: 60 games of the stub in three languages
#
# CONTENDER=PROGRAM replaces the command on the path. CLASS_PATH=... lists classes and jars from another machine, for use
# without Maven. The league and its referee stay in the folder that the last line names.
set -euo pipefail
challenge=$(realpath "$1")
games=${2:-60}
shift $(($# < 2 ? $# : 2))
contender=$(realpath "$(command -v "${CONTENDER:-contender}")")
start=$(date +%s.%N)
since() { awk -v from="$start" -v to="$(date +%s.%N)" -v what="$1" 'BEGIN { printf "%.1f minutes to %s\n", (to - from) / 60, what }'; }
folder=$(mktemp -d)
cd "$folder"
export CONTENDER_REFEREES=$folder/referees
"$contender" referee add "$challenge" --name challenge ${CLASS_PATH:+--class-path "$CLASS_PATH"}
since "the first game"
"$contender" league --dir league init challenge --match challenge
for language in python cpp rust; do
    "$contender" new bot --referee challenge --language "$language" -o "$language"
done
"$contender" league --dir league add python "python3 $folder/python/bot.py" --in-place
command -v g++ >/dev/null && g++ -O2 -o cpp/bot cpp/bot.cpp && "$contender" league --dir league add cpp "$folder/cpp/bot" --in-place
command -v rustc >/dev/null && rustc -O -o rust/bot rust/bot.rs && "$contender" league --dir league add rust "$folder/rust/bot" --in-place
for bot in "$@"; do
    "$contender" league --dir league add "${bot%%=*}" "${bot#*=}" --in-place
done
since "a league of bots"
"$contender" league --dir league run --games "$games" -j "${JOBS:-1}" -q
"$contender" league --dir league show
since "ratings with intervals, $games games in $folder/league (CONTENDER_REFEREES=$CONTENDER_REFEREES)"
