#!/bin/sh
# Plays a league of about 2,000 games in which nearly half of the bots are hostile, and kills its runner twenty times at
# random moments. Every game must be played exactly once, with the second game of its pair. Correct bots must not fail,
# and no process and no lock may be left. SOAK_SETTING selects one of three settings:
#
#   groups   (default) isolated, in control groups if these can be created; as root, if a small disk can be created, the
#            disk is full for a minute
#   user     isolated, without control groups, as an ordinary user
#   open     not isolated, without the bots that would do harm; a process that a bot leaves behind may slow down other
#            bots, so that they lose on time, which is counted and allowed
#
#   cargo build --release --workspace && SOAK_SETTING=user scripts/soak-league.sh [FOLDER WITH THE PROGRAMS]
#
# SOAK_JOBS is the number of games at once, SOAK_PAIRS the number of pairs between two bots.
set -eu
programs=$(realpath "${1:-target/release}")
setting=${SOAK_SETTING:-groups}
if [ "$setting" = groups ] && [ "$(id -u)" = 0 ] && [ -z "${SOAK_MOUNTS:-}" ]; then
    SOAK_MOUNTS=own exec unshare --mount "$0" "$programs"
fi
if [ "$setting" = user ]; then
    export CONTENDER_CGROUPS=off
    if [ "$(id -u)" = 0 ]; then
        shared=$(mktemp -d)
        cp "$programs/contender" "$programs/contender-zoo" "$(realpath "$0")" "$shared"
        chmod -R a+rX "$shared"
        status=0
        setpriv --reuid=65534 --regid=65534 --clear-groups env HOME="$shared" "$shared/$(basename "$0")" "$shared" || status=$?
        rm -rf "$shared"
        exit $status
    fi
fi
contender=$programs/contender
zoo=$programs/contender-zoo
pairs=${SOAK_PAIRS:-5}
folder=$(mktemp -d)
# Not in the league's folder, because its disk will be full.
said=$(mktemp)
token="soak-$$-$(date +%s)"
trap 'cd /; umount "$folder" 2>/dev/null || true; rm -rf "$folder" "$said"' EXIT
[ -z "${SOAK_MOUNTS:-}" ] || mount -t tmpfs -o size=48m soak "$folder"
cd "$folder"
league() { "$contender" league --dir . "$@"; }
# Bots are added without a copy, because the small disk has no room, and without a trial game, because hostile bots do
# not answer.
add() { league add --in-place --no-check "$@"; }
fail() { echo "WRONG: $*"; exit 1; }
echo "setting $setting, user $(id -un), load $(cut -d' ' -f1-3 /proc/loadavg), $(nproc) cores"
"$contender" check --isolation
start=$(date +%s)

league init spaghetti 2>/dev/null
sed -i -e "s/^# max_pairs = .*/max_pairs = $pairs/" -e 's/^# time = .*/time = "5s"/' -e 's/^# rematch = .*/rematch = 9/' league.toml
[ "$setting" = open ] || sed -i -e 's/^# isolate = .*/isolate = true/' -e 's/^# memory = .*/memory = 128/' league.toml
for number in 1 2 3 4 5 6; do
    add "bundled$number" random
    add "victim$number" "$contender bot spaghetti --name greedy"
done
good=12
plays="exec $contender bot spaghetti --name random"
hostile() { add "hostile-$1" "$2"; }
hostile spins "sh -c ': $token; for spinner in 1 2 3; do while :; do :; done & done; $plays'"
hostile daemon "sh -c 'setsid sh -c \": $token; while :; do :; done\" & $plays'"
hostile mark "sh -c 'CONTENDER_BOT=x setsid sh -c \": $token; while :; do :; done\" & $plays'"
hostile wiped "sh -c 'env -i /usr/bin/setsid /bin/sh -c \": $token; while :; do :; done\" & $plays'"
hostile hang "$zoo hang-ignoring-sigterm 0"
hostile floods "$zoo flood 0"
hostile crashes "$zoo crash 0"
hostile stderr "$zoo flood-stderr-always 0"
hostile sibling "$zoo clone-parent 0"
if [ "$setting" != open ]; then
    hostile forks "sh -c ': $token; while sleep 1000 & do :; done; $plays'"
    hostile limits "sh -c 'prlimit --pid \$PPID --nofile=9 --fsize=9; renice 19 \$PPID; $plays'"
    hostile locks "sh -c 'flock -s league.sqlite-shm sh -c \": $token; sleep 1000\" & $plays'"
    hostile memory "$zoo eats-memory 0"
fi
expected=$((good * (good - 1) / 2 * pairs * 2))

# Each kill comes after some more games, in the middle of a game.
count() { league export | tail -n +2 | wc -l; }
before=0
for round in $(seq 20); do
    "$contender" league --dir . run --exit-when-done --quiet ${SOAK_JOBS:+-j $SOAK_JOBS} 2>>"$said" &
    runner=$!
    more=$(awk -v seed="$round$$" 'BEGIN { srand(seed); print int(10 + 150 * rand()) }')
    while kill -0 $runner 2>/dev/null && [ "$(count)" -lt $((before + more)) ]; do sleep 1; done
    sleep "$(awk -v seed="$more$$" 'BEGIN { srand(seed); print rand() / 2 }')"
    if [ "$round" = 10 ] && [ -n "${SOAK_MOUNTS:-}" ] && [ -z "${SOAK_QUICK:-}" ]; then
        dd if=/dev/zero of=filler bs=64k 2>/dev/null || true
        sleep 60
        kill -0 $runner || fail "the runner has not outlived a full disk: $(tail -3 "$said")"
        rm filler
        sleep 5
        echo "the disk was full: $(grep -c 'tried again' "$said" || true) times tried again"
    fi
    kill -9 $runner 2>/dev/null || echo "this runner had no more to play"
    wait $runner 2>/dev/null || true
    now=$(count)
    [ "$now" -ge "$before" ] || fail "$before games have become $now"
    before=$now
    echo "killed after $now games"
    # Without control groups, each of its games takes seconds, because it starts two thousand processes.
    if [ "$round" = 5 ] && [ "$setting" = user ]; then league pause hostile-forks; fi
done
league run --exit-when-done --quiet ${SOAK_JOBS:+-j $SOAK_JOBS}
league export >games.csv
games=$(tail -n +2 games.csv | wc -l)
# Hostile bots are paused after six failures in a row. The other bots must have played all their pairs.
played=$(awk -F, 'NR > 1 && $3 !~ /^hostile/ && $4 !~ /^hostile/' games.csv | wc -l)
[ "$played" -eq "$expected" ] || fail "$played games between good bots, and not $expected"
# If a bot is paused, the second game of its pair waits until the bot is resumed.
single=$(awk -F, 'NR > 1 && $3 !~ /^hostile/ && $4 !~ /^hostile/ { print $2 }' games.csv | sort | uniq -c | awk '$1 != 2' | wc -l)
doubled=$(tail -n +2 games.csv | cut -d, -f2 | sort | uniq -c | awk '$1 > 2' | wc -l)
[ "$doubled" -eq 0 ] || fail "$doubled pairs with more than two games"
[ "$single" -eq 0 ] || fail "$single pairs without two games"
voids=$(tail -n +2 games.csv | awk -F, '$11 != ""' | wc -l)
[ "$voids" -eq 0 ] || fail "$voids void games: $(tail -n +2 games.csv | awk -F, '$11 != ""' | head -3)"
echo "endings of hostile bots:"
awk -F, 'NR > 1 { if ($3 ~ /^hostile/) n[$3 " " $7]++; if ($4 ~ /^hostile/) n[$4 " " $8]++ } END { for (k in n) print "  " k, n[k] }' games.csv | sort
bad='(($3 !~ /^hostile/ && $7 != "normal") || ($4 !~ /^hostile/ && $8 != "normal"))'
failures=$(awk -F, "NR > 1 && $bad" games.csv | wc -l)
if [ "$setting" = open ]; then
    echo "not isolated: $failures games in which a good bot failed"
    awk -F, "NR > 1 && $bad { print \$7, \$8 }" games.csv | sort | uniq -c
elif [ "$failures" -ne 0 ]; then
    fail "$failures games in which a good bot failed: $(awk -F, "NR > 1 && $bad" games.csv | head -3)"
fi
sleep 2
left=$(pgrep -fc "$token" || true)
[ "$left" -eq 0 ] || fail "$left processes are left: $(pgrep -af "$token" | head -3)"
locks=$(find . -name 'runner-*.lock' | wc -l)
[ "$locks" -eq 0 ] || fail "$locks locks are left"
groups=$(find /sys/fs/cgroup -maxdepth 3 -type d -name 'contender-*' 2>/dev/null | wc -l)
hostiles=$(awk -F, 'NR > 1 && ($3 ~ /^hostile/ || $4 ~ /^hostile/)' games.csv | wc -l)
echo "$games games ($hostiles of them with hostile bots) in $(($(date +%s) - start)) s, each played once; good bots failed in $failures; processes left 0, locks left 0, control groups of living runners $groups; load $(cut -d' ' -f1-3 /proc/loadavg)"
