#!/bin/sh
# Keeps live pages of the web app open for a long time: clients follow the pages of a league and a match while these are
# played. The script prints the memory of the server every minute; it must not grow. Needs curl and Linux.
#
#     cargo build --release && scripts/soak-web.sh [MINUTES] [CLIENTS]
set -eu
minutes=${1:-60}
clients=${2:-8}
contender=$(cd "$(dirname "$0")/.." && pwd)/target/release/contender
folder=$(mktemp -d)
pids=
# Each program is stopped by its process number. The server stops the programs that it has started.
trap 'kill $pids 2>/dev/null || true; sleep 1; rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM

cd "$folder"
mkdir league
"$contender" league --dir league init uttt 2>/dev/null
for bot in random greedy bronze alphabeta:depth=2; do
    "$contender" league --dir league add "$(echo $bot | tr ':=' '-_')" "$bot"
done
"$contender" web --port 0 >address &
server=$!
pids=$server
while ! grep -q token address; do sleep 0.1; done
url=$(sed 's/^Open \([^ ]*\) .*/\1/' address)
host=${url%%/\?*}
curl -s -o /dev/null -c cookies "$url"
post() { curl -s -f -o /dev/null -b cookies -H "Origin: $host" "$host$1" --data "$2"; }
post /league/start 'dir=league&jobs=1'
post /match/start 'game=uttt&a=greedy&b=bronze&pairs=1000000'
while [ "$clients" -gt 0 ]; do
    curl -s -N -b cookies "$host/league/live?dir=league" >/dev/null &
    pids="$pids $!"
    curl -s -N -b cookies "$host/match/live?file=match-uttt-1.jsonl" >/dev/null &
    pids="$pids $!"
    clients=$((clients - 1))
done

memory() { sed -n 's/^VmRSS:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$server/status"; }
games() { "$contender" league --dir league show --json | sed -n 's/^  "games": \([0-9]*\),/\1/p'; }
minute=0
while [ "$minute" -le "$minutes" ]; do
    echo "minute $minute: $(memory) kB, $(games) games of the league, $(wc -l <match-uttt-1.jsonl) of the match"
    minute=$((minute + 1))
    [ "$minute" -gt "$minutes" ] || sleep 60
done
