#!/bin/sh
# Compares the speed of psyleague and of our league, with the same external bots, two games at a time, and a new process
# for each bot in each game. psyleague uses `contender referee` as its referee and is installed from PyPI into a temporary
# folder. If it cannot be installed, the script says so and exits with 0.
#
#   scripts/bench-psyleague.sh [GAMES] [CONTENDER]        default: 200 target/release/contender
set -eu
games=${1:-200}
contender=$(realpath "${2:-target/release/contender}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
if ! { python3 -m venv venv && venv/bin/pip -q install psyleague; } >install.log 2>&1; then
    echo "skipped: psyleague cannot be installed here"
    exit 0
fi
bots="random greedy"
command() { echo "$contender bot uttt --name $1"; }
# Turns a number of games and their seconds into games per second.
rate() { awk -v games="$2" -v from="$3" -v to="$(date +%s.%N)" -v who="$1" 'BEGIN { printf "%-20s %7.1f games/s\n", who, games / (to - from) }'; }

venv/bin/psyleague config >/dev/null
sed -i \
    -e 's|^n_workers = .*|n_workers = 2|' \
    -e 's|^cmd_bot_setup = .*|cmd_bot_setup = "cp %SRC%.cmd %DIR%/%NAME%.cmd"|' \
    -e "s|^cmd_play_game = .*|cmd_play_game = '$contender referee uttt \"\$(cat %DIR%/%P1%.cmd)\" \"\$(cat %DIR%/%P2%.cmd)\" --seed random'|" \
    psyleague.cfg
mkdir -p bots
for bot in $bots; do
    command "$bot" >"$bot.cmd"
    venv/bin/psyleague bot add "$bot" -s "$bot" >>league.log 2>&1
done
start=$(date +%s.%N)
venv/bin/psyleague run -g "$games" >>league.log 2>&1 </dev/null || { cat league.log; exit 1; }
rate psyleague "$(wc -l <psyleague.games)" "$start"

"$contender" league --dir ours init uttt 2>/dev/null
for bot in $bots; do "$contender" league --dir ours add "$bot" "$(command "$bot")" >/dev/null 2>&1; done
start=$(date +%s.%N)
"$contender" league --dir ours run --games "$games" --jobs 2 --quiet
rate "contender league" "$("$contender" league --dir ours export | grep -c ',normal,normal,')" "$start"
