#!/usr/bin/env bash
# Runs the tests of the kit's `unsafe` code in Miri, which finds undefined behaviour. Usage: scripts/check-unsafe.sh
# Miri runs the portable code, because it does not know all instructions of AVX-512. Needs the nightly compiler.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! rustup component add miri rust-src --toolchain nightly; then
    echo "skipped: the nightly compiler with Miri is not here: rustup toolchain install nightly"
    exit 0
fi
CARGO_TARGET_DIR=target/miri MIRIFLAGS=-Zmiri-disable-isolation cargo +nightly miri test --locked -p contender-nn
