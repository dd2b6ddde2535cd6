#!/usr/bin/env bash
# The commands of docs/tumbleweed.md in a new folder: a game from its template to a trained and packed bot and a league.
# Usage: scripts/tumbleweed-book.sh [FOLDER [MINUTES]]   (MINUTES of each leg of the training; 15 if not said)
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(realpath -m "${1:-$(mktemp -d)}")
minutes=${2:-15}
made=$PWD/examples/tumbleweed
cargo build --release --locked
contender=$PWD/target/release/contender
mkdir -p "$folder"
cd "$folder"
SECONDS=0
"$contender" new game tumbleweed --kind turns
cd tumbleweed
cargo run --release -- match tumbleweed random uct -n 20 --nodes 1000 --quiet
echo "first match after $SECONDS s"
# The reader writes these files step by step.
cp "$made"/src/*.rs src/
cp "$made"/tests/*.rs tests/
cp "$made"/*.toml "$made"/network.bin .
"$contender" new game tumbleweed --kind turns -o fresh >/dev/null
mv fresh/Cargo.toml . && rm -r fresh
sed -i 's/TicTacToe/Tumbleweed/' workbench/main.rs
sed -i "s/minutes = 15.0/minutes = $minutes/" chain.toml
cargo test -q -p tumbleweed
cargo run --release -- check-rules tumbleweed --games 3
cargo run --release -- train chain.toml -o training --quiet
cp training/2-puct/network.bin .
cargo run --release -- pack tumbleweed --bot puct -o bot.rs --verify --nodes 50
cargo run --release -- league init tumbleweed
for bot in random greedy mcts alphabeta puct; do cargo run --release -- league add $bot $bot; done
cargo run --release -- league run --games 200 --quiet
cargo run --release -- league show
grep -cvE '^ *(//|$)' src/*.rs
echo "$((SECONDS / 60)) minutes in all, in $folder"
