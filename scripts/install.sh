#!/bin/sh
# Installs the command `contender` from the archive of a release, after checking the SHA-256 sum of the archive.
# Usage: install.sh ADDRESS [FOLDER]
#   ADDRESS  the release's folder of archives: https://..., file:///... or a path
#   FOLDER   for the command; default ~/.local/bin
# Manual pages, completions and sources go to the usual places under ~/.local/share. Nothing else is changed.
set -eu

stop() {
    echo "install.sh: $1" >&2
    exit 1
}
[ $# -ge 1 ] || stop "no address; usage: install.sh ADDRESS [FOLDER]"
address=${1%/}
bin=${2:-$HOME/.local/bin}
share=${XDG_DATA_HOME:-$HOME/.local/share}

case $(uname -s)-$(uname -m) in
Linux-x86_64) target=x86_64-unknown-linux-musl ;;
Linux-aarch64) target=aarch64-unknown-linux-musl ;;
Darwin-arm64) target=aarch64-apple-darwin ;;
Darwin-x86_64) target=x86_64-apple-darwin ;;
*) stop "no archive for $(uname -s) on $(uname -m); build from source: cargo install --locked --path workbench/cli" ;;
esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fetch() {
    case $address in
    https://* | file://*) curl --fail --silent --show-error --location --output "$work/$1" "$address/$1" ;;
    *://*) stop "use https, not ${address%%:*}" ;;
    *) cp "$address/$1" "$work/$1" ;;
    esac || stop "cannot fetch $address/$1"
}
fetch SHA256SUMS # a line for each archive of the release: the sum and the name
line=$(grep -E "^[0-9a-f]{64}  contender-[0-9][^ /]*-$target\.tar\.gz\$" "$work/SHA256SUMS") ||
    stop "the release has no archive for $target"
archive=${line#*  }
fetch "$archive"
cd "$work"
echo "$line" >sum
{ sha256sum -c sum || shasum -a 256 -c sum; } >/dev/null 2>&1 || stop "the SHA-256 sum of $archive is wrong"
tar -xzf "$archive"
folder=${archive%.tar.gz}

mkdir -p "$bin" "$share/man/man1" "$share/bash-completion/completions" "$share/zsh/site-functions" \
    "$share/fish/vendor_completions.d"
cp "$folder/contender" "$bin/contender.new" # a running command can be replaced, but not overwritten
mv "$bin/contender.new" "$bin/contender"
cp "$folder"/man/*.1 "$share/man/man1/"
cp "$folder/completions/contender.bash" "$share/bash-completion/completions/contender"
cp "$folder/completions/contender.zsh" "$share/zsh/site-functions/_contender"
cp "$folder/completions/contender.fish" "$share/fish/vendor_completions.d/contender.fish"
# The command looks for the sources next to its own folder; `new game`, `new bot` and `pack` use them.
sources=$(dirname "$bin")/share/contender/sources
rm -rf "$sources"
mkdir -p "$(dirname "$sources")"
cp -R "$folder/sources" "$sources"
echo "installed $("$bin/contender" --version) in $bin"
case :$PATH: in *:"$bin":*) ;; *) echo "hint: add it to your PATH: export PATH=\"$bin:\$PATH\"" ;; esac
