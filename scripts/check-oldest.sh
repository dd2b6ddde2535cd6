#!/usr/bin/env bash
# Compiles `kit`, `games` and the templates of games as the judge with the oldest compiler would: Rust 1.66, edition
# 2021, only the standard library. Cargo of that version cannot read this workspace, so the script calls the compiler.
# Usage: scripts/check-oldest.sh [RUSTC...]. If Rust 1.66 is neither installed nor can be downloaded, the script says so
# and exits with 0.
set -euo pipefail
cd "$(dirname "$0")/.."

version=1.66.1
if [ $# -eq 0 ]; then
    if ! rustup run "$version" rustc --version 2>/dev/null &&
        ! rustup toolchain install "$version" --profile minimal --no-self-update; then
        echo "skipped: Rust $version is not here and cannot be fetched"
        exit 0
    fi
    set -- rustup run "$version" rustc
fi
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
libraries=()
for crate in kit/game kit/nn kit/search kit/puct kit/value games/*/; do
    crate=${crate%/}
    name=contender_$(basename "$crate")
    echo "$crate"
    export CARGO_PKG_NAME=${name/_/-}
    "$@" --edition 2021 -D warnings -L "$out" --crate-type lib --crate-name "$name" "${libraries[@]}" \
        -o "$out/lib$name.rlib" "$crate/src/lib.rs"
    own=(--extern "$name=$out/lib$name.rlib")
    case $crate in kit/*) libraries+=("${own[@]}") ;; esac
    [ ! -e "$crate/src/main.rs" ] ||
        "$@" --edition 2021 -D warnings -L "$out" "${libraries[@]}" "${own[@]}" -o "$out/main" "$crate/src/main.rs"
done
# Games from `contender new game` are submitted too.
for template in workbench/cli/templates/{turns,chance,hidden,simultaneous}/lib.rs; do
    echo "$template"
    "$@" --edition 2021 -D warnings -L "$out" --crate-type lib --crate-name template "${libraries[@]}" \
        -o "$out/template.rlib" "$template"
done
