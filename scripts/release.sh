#!/usr/bin/env bash
# Makes the archive of a release (the command, completions, manual pages, sources, and the licences of all parts) and its
# checksum. Usage: scripts/release.sh [FOLDER] [TARGET]
# Default: target/release-files, and the static Linux binary for this machine's processor.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=${1:-target/release-files}
target=${2:-$(uname -m)-unknown-linux-musl}
version=$(cargo metadata --format-version 1 --no-deps --locked |
    python3 -c 'import json, sys; print(next(p["version"] for p in json.load(sys.stdin)["packages"] if p["name"] == "contender-cli"))')

rustup target add "$target"
if [[ $target == *-musl ]] && ! command -v musl-gcc >/dev/null; then
    echo "error: musl-gcc is not here; it compiles SQLite" >&2
    echo "hint: apt install musl-tools" >&2
    exit 1
fi
cargo build --locked --profile dist -p contender-cli --target "$target"

name=contender-$version-$target
rm -rf "${folder:?}/$name" "$folder/$name".*
mkdir -p "$folder/$name/completions"
exe=
[[ $target != *-windows-* ]] || exe=.exe
program=target/$target/dist/contender$exe
cp "$program" README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT "$folder/$name/"
# The sources are for `new game`, `new bot` and `pack`.
git archive HEAD -- kit games workbench lab examples Cargo.toml Cargo.lock ':!lab/notes' |
    { mkdir "$folder/$name/sources" && tar -x -C "$folder/$name/sources"; }
scripts/parts.py "$target" >"$folder/$name/PARTS.md"
"$program" man "$folder/$name/man"
for shell in bash zsh fish elvish powershell; do
    "$program" completions $shell >"$folder/$name/completions/contender.$shell"
done
if [[ $target == *-musl ]] && readelf -d "$program" | grep -q NEEDED; then
    echo "$program needs libraries of the system:" >&2
    readelf -d "$program" | grep NEEDED >&2
    exit 1
fi

cd "$folder"
tar -czf "$name.tar.gz" "$name"
# macOS has shasum instead of sha256sum.
{ sha256sum "$name.tar.gz" || shasum -a 256 "$name.tar.gz"; } 2>/dev/null >"$name.tar.gz.sha256"
# The sums of all archives in the folder, for scripts/install.sh.
cat contender-*.tar.gz.sha256 >SHA256SUMS
ls -l "$name.tar.gz"
cat "$name.tar.gz.sha256"
