#!/bin/sh
# Plays 20 games in psyleague with our referee, and 20 games in our league with a match script written for psyleague.
# psyleague is installed from PyPI into a temporary folder. If it cannot be installed, the script says so and exits
# with 0.
#
#   scripts/check-psyleague.sh [CONTENDER]        default: target/release/contender
set -eu
contender=$(realpath "${1:-target/release/contender}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
if ! { python3 -m venv venv && venv/bin/pip -q install psyleague; } >install.log 2>&1; then
    echo "skipped: psyleague cannot be installed here"
    exit 0
fi

echo "psyleague drives contender referee"
venv/bin/psyleague config >/dev/null
# A bot of this league is a file with the command that runs it.
sed -i \
    -e 's|^cmd_bot_setup = .*|cmd_bot_setup = "cp %SRC%.cmd %DIR%/%NAME%.cmd"|' \
    -e "s|^cmd_play_game = .*|cmd_play_game = '$contender referee entropy \"\$(cat %DIR%/%P1%.cmd)\" \"\$(cat %DIR%/%P2%.cmd)\" --seed random'|" \
    psyleague.cfg
mkdir -p bots
for bot in random greedy expectimax; do echo "$bot" >"$bot.cmd"; done
for bot in random greedy expectimax; do venv/bin/psyleague bot add "$bot" -s "$bot" >>league.log 2>&1; done
timeout 120 venv/bin/psyleague run -g 20 >>league.log 2>&1 </dev/null || { cat league.log; exit 1; }
venv/bin/psyleague show
games=$(wc -l <psyleague.games)
seeds=$(grep -o '"seed": [0-9]*' psyleague.games | sort -u | wc -l)
[ "$games" -ge 20 ] || { echo "only $games games"; exit 1; }
[ "$seeds" -ge 15 ] || { echo "only $seeds different seeds"; exit 1; }

echo "contender league imports psyleague's games"
"$contender" league --dir imported init entropy
"$contender" league --dir imported import psyleague.games
"$contender" league --dir imported show --rating trueskill

echo "contender league drives a match script made for psyleague"
"$contender" league --dir driven init some-game --match "sh -c '$contender referee uttt \$1 \$2 --seed \$3' play %P1% %P2% %SEED%"
for bot in random greedy; do "$contender" league --dir driven add "$bot" "$bot"; done
"$contender" league --dir driven run --games 20 --quiet
"$contender" league --dir driven show
[ "$("$contender" league --dir driven export | grep -c ',normal,normal,')" -eq 20 ] || { echo "not 20 games"; exit 1; }
echo "all checks passed"
