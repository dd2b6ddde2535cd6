#!/bin/sh
# A league of good bots and bots that misbehave, whose runner is killed twenty times at random moments: every game must be played once,
# with its partner, and no process may be left. Two minutes.
#
#   cargo build --release --workspace && scripts/soak-league.sh
set -eu
contender=$(realpath target/release/contender)
zoo=$(realpath target/release/contender-zoo)
pairs=40
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
league() { "$contender" league --dir . "$@"; }
league init spaghetti 2>/dev/null
sed -i -e "s/^# max_pairs = .*/max_pairs = $pairs/" -e 's/^# time = .*/time = "300ms"/' league.toml
for bot in random greedy random2 greedy2 greedy3; do league add "$bot" "$(echo "$bot" | tr -d 23)"; done
for bad in crash-at-start exit-at-start "hang-ignoring-sigterm 0" "flood 1" daemon; do
    league add "$(echo "$bad" | cut -d' ' -f1)" "$zoo $bad"
done
expected=$((10 * 9 / 2 * pairs * 2))
before=0
for round in $(seq 20); do
    "$contender" league --dir . run --once --quiet 2>/dev/null &
    runner=$!
    sleep "$(awk -v seed="$round$$" 'BEGIN { srand(seed); print 0.3 + 2 * rand() }')"
    kill -9 $runner 2>/dev/null || true
    wait $runner 2>/dev/null || true
    now=$(league export | tail -n +2 | wc -l)
    [ "$now" -ge "$before" ] || { echo "$before games have become $now"; exit 1; }
    before=$now
    echo "killed after $now games"
done
league run --once --quiet
league show
league export >games.csv
games=$(tail -n +2 games.csv | wc -l)
[ "$games" -eq "$expected" ] || { echo "$games games, and not $expected"; exit 1; }
single=$(tail -n +2 games.csv | cut -d, -f2 | sort | uniq -c | awk '$1 != 2' | wc -l)
[ "$single" -eq 0 ] || { echo "$single pairs without two games"; exit 1; }
sleep 1
left=$(pgrep -f "$zoo" | wc -l)
[ "$left" -eq 0 ] || { echo "$left processes are left"; pgrep -af "$zoo"; exit 1; }
echo "$games games, each played once, nothing left"
