#!/usr/bin/env bash
# Builds the command for other systems on an x86-64 Linux machine and runs it in emulators: matches, a log that is
# resumed, a league, a review, a scaffold and the web app; on Windows also bots in processes of their own.
# Usage: scripts/check-systems.sh [windows|arm]...   default: both
# Debian's packages: gcc-mingw-w64-x86-64 and wine for Windows, gcc-aarch64-linux-gnu and qemu-user for 64-bit ARM. If a
# package is missing, the script names it and skips the system. All its files are below target/systems.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
export CARGO_TARGET_DIR=$root/target/systems CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=0
export WINEDEBUG=-all WINEPREFIX=$CARGO_TARGET_DIR/wine QEMU_LD_PREFIX=/usr/aarch64-linux-gnu
failures=0

# Returns whether a program is installed, and prints the package that has it if not.
has() {
    command -v "$1" >/dev/null || { echo "skipped: $1 is not here: apt install $2" && return 1; }
}

# Counts failures and goes on, so that one run lists all of them.
# Usage: check NAME TEXT COMMAND...; the output of the command must contain the text.
check() {
    local name=$1 text=$2 output
    shift 2
    output=$(timeout 300 "$@" 2>&1 </dev/null | tr -d '\r') || true
    if grep -qF -- "$text" <<<"$output"; then
        echo "  ok: $name"
    else
        echo "  FAILED: $name: \"$text\" is not in:"
        tail -6 <<<"$output" | sed 's/^/    /'
        failures=$((failures + 1))
    fi
}

# Usage: try SYSTEM PROGRAM COMMAND...; PROGRAM is the binary, COMMAND runs it on this machine.
try() {
    local system=$1 program=$2 folder
    shift 2
    folder=$(mktemp -d)
    cd "$folder"
    echo "$system:"
    check version "contender 0." "$@" --version
    check match "greedy is better than random" "$@" match spaghetti greedy random -n 20 --seed 1 --nodes 100 --log log.jsonl
    check resume "greedy is better than random" "$@" match spaghetti greedy random -n 40 --seed 1 --nodes 100 --log log.jsonl
    if [ "$system" = Windows ]; then
        check "bot in a process" "is better than random" \
            "$@" match uttt "external=$program bot uttt --name greedy" random -n 10 --seed 1 -q
        check "check of a bot" "all checks passed" "$@" check uttt "$program bot uttt --name greedy" -n 1
        echo "  not tried: pack, because it needs Rust for Windows"
    else
        echo "  not tried: bots in processes, check and pack, because QEMU's user mode cannot start programs with CLONE_PIDFD"
    fi
    check "new league" "created a uttt league" "$@" league --dir league init uttt
    "$@" league --dir league add one greedy </dev/null || true
    "$@" league --dir league add two random </dev/null || true
    check "league run" "20 games played" "$@" league --dir league run --games 20 -q
    check "league table" "one" "$@" league --dir league show
    check review "contender analyse spaghetti" "$@" review log.jsonl --nodes 100
    check doctor "Rust" "$@" doctor --clock 0
    check scaffold "plays random legal moves" "$@" new bot uttt --language python -o my-bot
    "$@" web --port 7999 . >web.txt 2>&1 </dev/null &
    local server=$!
    for _ in $(seq 60); do grep -q http web.txt && break || sleep 0.5; done
    check "web app" "<html" curl --silent --location "$(grep -oE 'http://[^ ]*' web.txt | head -1)"
    kill "$server" 2>/dev/null || true
    cd "$root"
    rm -rf "$folder"
}

[ $# -gt 0 ] || set -- windows arm
for system; do
    case $system in
    windows)
        has x86_64-w64-mingw32-gcc gcc-mingw-w64-x86-64 && has wine wine || continue
        rustup target add x86_64-pc-windows-gnu
        cargo build --locked -p contender-cli --target x86_64-pc-windows-gnu
        program=$CARGO_TARGET_DIR/x86_64-pc-windows-gnu/debug/contender.exe
        # Wine before version 9 lacks the library from which Rust's standard library takes randomness.
        x86_64-w64-mingw32-gcc -shared -o "$(dirname "$program")/bcryptprimitives.dll" -x c - -ladvapi32 <<'END'
#include <windows.h>
#include <ntsecapi.h>
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) { return RtlGenRandom(data, size); }
END
        try Windows "$program" wine "$program"
        ;;
    arm)
        has aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu && has qemu-aarch64 qemu-user || continue
        rustup target add aarch64-unknown-linux-gnu
        export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
        cargo build --locked -p contender-cli --target aarch64-unknown-linux-gnu
        program=$CARGO_TARGET_DIR/aarch64-unknown-linux-gnu/debug/contender
        try ARM "$program" qemu-aarch64 "$program"
        ;;
    *) echo "unknown system $system; available: windows, arm" >&2 && exit 2 ;;
    esac
done
echo "$failures failures"
[ "$failures" = 0 ]
