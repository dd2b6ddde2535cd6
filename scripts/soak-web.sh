#!/bin/sh
# Live pages of the web app for a long time: a league and a match are played while clients follow their pages, and the memory of the
# server is printed each minute. It must not grow. Needs curl and Linux.
#
#     cargo build --release && scripts/soak-web.sh [MINUTES] [CLIENTS]
set -eu
minutes=${1:-60}
clients=${2:-8}
contender=$(cd "$(dirname "$0")/.." && pwd)/target/release/contender
folder=$(mktemp -d)
pids=
# Each is asked to end by its number; the server ends what it has started.
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
