#!/usr/bin/env bash
# Finds the score of a win and the exploration of the write-up's bot for Ultimate Tic-Tac-Toe by matches: a league of one bot for each pair
# of values, whose runner plays the pairs of bots whose order is most in doubt. Run it again to go on; look at any time with
# `contender league --dir FOLDER show`. Other values, another bot or another game: change the marked lines.
#
# usage: examples/tune-uttt.sh [FOLDER [GAMES]]        [tune-uttt, 4000]; CONTENDER is the command [contender]
set -euo pipefail
contender=${CONTENDER:-contender}
folder=${1:-tune-uttt}
games=${2:-4000}

if [ ! -e "$folder/league.toml" ]; then
    "$contender" league --dir "$folder" init uttt                                                   # the game
    sed -i 's/^# nodes = .*/nodes = 1000/; s/^# time = .*/time = "10s"/; s/^# opening = ""/opening = "2"/' "$folder/league.toml"  # iterations a move, rules
    for win in 1 3 6 10; do                                                                         # the values
        for c in 0.5 1 1.41 2 2.8 4; do
            "$contender" league --dir "$folder" add "win$win-c$c" "classic:win=$win,c=$c"         # the bot
        done
    done
fi
"$contender" league --dir "$folder" run --games "$games"
"$contender" league --dir "$folder" show
