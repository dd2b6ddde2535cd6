#!/usr/bin/env bash
# Tests a release as a user without a clone: makes the archive of this machine, installs it into an empty home, plays the
# README's first match, and takes a custom game from its scaffold to a packed file. Prints the seconds of each step.
# Usage: scripts/check-release.sh [FOLDER]   FOLDER has the archives; by default scripts/release.sh makes one
set -euo pipefail
cd "$(dirname "$0")/.."

folder=${1:-}
if [ -z "$folder" ]; then
    folder=$PWD/target/release-files
    scripts/release.sh "$folder"
fi
folder=$(realpath "$folder")
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
# Runs a command with the developer's tools and cargo's downloads, but without the variables of this workspace.
run() {
    local began=$SECONDS
    env -i HOME="$home" PATH="$home/.local/bin:$(dirname "$(command -v cargo)"):/usr/bin:/bin" \
        RUSTUP_HOME="${RUSTUP_HOME:-$HOME/.rustup}" CARGO_HOME="${CARGO_HOME:-$HOME/.cargo}" \
        bash -euo pipefail -c "cd '$home' && $1" || return 1
    printf '== %d s: %s\n' "$((SECONDS - began))" "$1"
}
cp scripts/install.sh "$home"
run "sh install.sh '$folder'"
run 'contender match entropy expectimax greedy -n 20 --nodes 2000 -q | grep "is better than greedy"'
run 'contender doctor --clock 0 | grep -c good'
run 'contender new bot uttt --language python -o my-bot && contender check uttt "python3 my-bot/bot.py" | tail -1'
run 'contender new game mygame && cd mygame && cargo run -q --release -- match mygame random uct -n 20 --nodes 1000 -q | tail -1'
run 'cd mygame && cargo run -q --release -- check-rules mygame'
run 'cd mygame && cargo run -q --release -- pack mygame --bot uct -o bot.rs --verify && rustc --edition 2021 -O bot.rs'
# The installer must refuse a wrong sum and keep the installed command.
cp -r "$folder" "$home/damaged"
sed -i 's/^./g/; s/^g\(.\)/0\1/' "$home/damaged/SHA256SUMS"
if run 'sh install.sh damaged' 2>/dev/null; then
    echo "a damaged archive was installed" >&2
    exit 1
fi
run 'contender --version'
du -b "$folder"/contender-*.tar.gz "$home/.local/bin/contender"
if [ "$(wc -c <"$home/.local/bin/contender")" -gt 25000000 ]; then
    echo "the command is larger than 25 MB" >&2
    exit 1
fi
