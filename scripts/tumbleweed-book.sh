#!/usr/bin/env bash
# Runs the commands of docs/howto/tumbleweed.md in a new folder: from the template of a game to a trained, tuned and packed
# bot and a league. If the page tells the reader to write a file, the script copies it from examples/tumbleweed.
# Usage: scripts/tumbleweed-book.sh [FOLDER [MINUTES]]   (MINUTES of each run of the chain; default: 15)
set -euo pipefail
cd "$(dirname "$0")/.."
page=$PWD/docs/howto/tumbleweed.md
made=$PWD/examples/tumbleweed
folder=$(realpath -m "${1:-$(mktemp -d)}")
minutes=${2:-15}
# Progress bars are off, because nobody watches.
export NO_COLOR=1
cargo build --release --locked
program=$PWD/target/release/contender
contender() { "$program" "$@"; }

# Files that the reader writes before the commands of a section.
section() {
    echo "== section $1, after $SECONDS s"
    case $1 in
    2)
        cat src/*.rs >"$folder/template"
        cp "$made"/src/*.rs src/
        cp "$made"/tests/*.rs tests/
        cp "$made"/{train,chain}.toml .
        cp "$made/workbench/main.rs" workbench/
        rm src/features.rs evaluation.toml value.toml
        sed -i "s/minutes = 15.0/minutes = $minutes/" chain.toml
        # There is no network yet.
        sed -i '/fn network()/,/^    }/d' src/network.rs
        ;;
    6) cp "$made/src/network.rs" src/ ;;
    esac
}

mkdir -p "$folder"
# Blocks without a language are commands.
awk '/^## [0-9]/ { print "section " $2 + 0 }
     /^```/ { language = inside ? "" : $0; inside = !inside; next }
     inside && language == "```"' "$page" >"$folder/commands"
cd "$folder"
SECONDS=0
set -v
source "$folder/commands"
set +v

echo "== $((SECONDS / 60)) minutes in all, in $folder"
code() { cat "$@" | grep -vE '^ *(//|$)'; }
lines() { code "$@" | wc -l; }
# The lines that the author has added to the template, according to diff.
added() { diff <(code "$folder/template") <(code "$@") | grep -c '^>'; }
without=$(ls src/*.rs | grep -v network)
echo "lines of code: $(lines $without) without the network, $(lines src/*.rs) with it"
echo "  added to the template: $(added $without) and $(added src/*.rs)"
awk -F, 'NR > 1 && ($3 == "puct" || $4 == "puct") {
        own = $3 == "puct" ? $5 - $6 : $6 - $5
        other = $3 == "puct" ? $4 : $3
        games[other]++
        won[other] += own > 0 ? 1 : own == 0 ? 0.5 : 0
    }
    END { for (other in games) printf "puct against %s: %.1f %% of %d games\n", other, 100 * won[other] / games[other], games[other] }' games.csv
