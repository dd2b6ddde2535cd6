#!/bin/sh
# A match of one of our bots against another author's program, as in lab/notes/strength.md.
#
#   lab/peers/match.sh PEER COMMAND [OPTIONS OF contender match]
#
# COMMAND starts the other program, which you must build as its README describes; it is not part of this repository. Peers:
#
#   box                   github.com/maksverver/codecup-box (C++), its player
#   entropy               github.com/EmilRiedeman/CodeCup-Entropy-Bot (C++)
#   entropy-danwue        github.com/danwue/entropy (Haskell), entropy.hs
#   spaghetti             github.com/Mangara/CodeCup2022 (Java): 'java -cp CLASSES Amatriciana'
#   uttt                  github.com/TomAlard/UTTT_player (C), its file for CodinGame
#   cellularena           github.com/descampsk/cellularena (JavaScript): 'node BOT', where BOT is its packed bot behind a
#                         reader of the judge's protocol
#   cellularena-java      github.com/xarnthehero/code-competition (Java): 'java -cp CLASSES Player'
#
# OURS=BOT selects another bundled bot instead of the champion, PAIRS=N the number of pairs. CONTENDER is the command.
set -eu
if [ $# -lt 2 ]; then sed -n '2,18s/^# \{0,1\}//p' "$0" >&2; exit 2; fi
peer=$1
theirs=$2
shift 2
program=${theirs%% *}
command -v "$program" > /dev/null || { echo "no program $program: build it first, and say how it starts" >&2; exit 2; }
game=${peer%%-*}
ours=champion
pairs=100
case $peer in
    box) pairs=50 ;;
    entropy) pairs=12 ;;
    entropy-danwue) pairs=20 ;;
    spaghetti) pairs=27 ;;
    uttt) set -- --setup opening=2 "$@" ;;
    # The bots move in turn. The peer gets five times the time limit because its engine starts slowly; ours keeps the judge's limit.
    cellularena|cellularena-java) pairs=50; ours=champion:time=0.16; set -- --in-turn --time 500% "$@" ;;
    *) echo "no peer $peer: run this without arguments for the list" >&2; exit 2 ;;
esac
exec "${CONTENDER:-contender}" match "$game" "${OURS:-$ours}" "theirs=$theirs" -n "${PAIRS:-$pairs}" -j 1 "$@"
