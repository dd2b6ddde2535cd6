#!/usr/bin/env bash
# Runs the commands of docs/howto/tumbleweed.md as they stand there, in a new folder: a game from its template to a trained,
# tuned and packed bot and a league. Where the page has a file written, that of examples/tumbleweed is copied.
# Usage: scripts/tumbleweed-book.sh [FOLDER [MINUTES]]   (MINUTES of each leg of the training; 15 if not said)
set -euo pipefail
cd "$(dirname "$0")/.."
page=$PWD/docs/howto/tumbleweed.md
made=$PWD/examples/tumbleweed
folder=$(realpath -m "${1:-$(mktemp -d)}")
minutes=${2:-15}
# Bars are for people.
export NO_COLOR=1
cargo build --release --locked
program=$PWD/target/release/contender
contender() { "$program" "$@"; }

# What is written by hand before a section's commands are run.
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
        # There is no network to ship yet.
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
# What the author has added to the template, as diff finds it.
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
