#!/bin/sh
# A match of one of our bots against another author's program, as in docs/strength.md.
#
#   scripts/peers/match.sh PEER FOLDER [OPTIONS OF contender match]
#
# FOLDER is where you have put the program's sources, none of which is here; what is built stays there. The peers:
#
#   box                   github.com/maksverver/codecup-box (C++)
#   entropy               Emil Riedeman's bot of CodeCup 2023 (C++), as bot.cpp
#   spaghetti             Amatriciana (Java), Amatriciana.java among its sources
#   uttt                  github.com/TomAlard/UTTT_player (C)
#   cellularena           github.com/descampsk/cellularena (JavaScript), its packed bot behind a reader of
#                         the judge's protocol, as bot.js
#   cellularena-java      xarnthehero/code-competition (Java), Player.java among its sources
#
# OURS=BOT plays with another bot of ours than the champion, PAIRS=N another number of pairs; CONTENDER is the command.
set -eu
peer=$1
folder=$(realpath "$2")
shift 2
contender=${CONTENDER:-contender}
built=$folder/built-by-contender
mkdir -p "$built"
java_bot() { find "$folder" -name '*.java' -not -path '*/test/*' -exec javac -d "$built" {} +; theirs="java -cp $built $1"; }
game=${peer%-java}
ours=champion
pairs=100
case $peer in
    box)
        pairs=50
        src=$folder/player/src
        [ -x "$built/bot" ] || g++ -std=c++20 -O2 -o "$built/bot" "$src/player.cc" "$src/analysis.cc" "$src/first-move.cc" \
            "$src/first-move-table.cc" "$src/options.cc" "$src/random.cc" "$src/state.cc"
        theirs=$built/bot ;;
    entropy)
        pairs=12
        [ -x "$built/bot" ] || g++ -std=c++17 -O2 -o "$built/bot" "$folder/bot.cpp"
        theirs=$built/bot ;;
    spaghetti) pairs=27; java_bot Amatriciana ;;
    uttt)
        [ -x "$built/bot" ] || gcc -O3 -mavx2 -mfma -o "$built/bot" "$folder/codingame_file.c" -lm
        theirs=$built/bot
        set -- --rule opening=2 "$@" ;;
    # Asked in turn, with twice the clock for slow starts of their engines; ours keeps to the judge's.
    cellularena) ours=champion:time=0.4; theirs="node $folder/bot.js"; set -- --in-turn --time 200% "$@" ;;
    cellularena-java) ours=champion:time=0.4; java_bot Player; set -- --in-turn --time 200% "$@" ;;
    *) echo "no peer $peer; there are: box, entropy, spaghetti, uttt, cellularena, cellularena-java" >&2; exit 2 ;;
esac
exec "$contender" match "$game" "${OURS:-$ours}" "theirs=$theirs" -n "${PAIRS:-$pairs}" -j 1 "$@"
