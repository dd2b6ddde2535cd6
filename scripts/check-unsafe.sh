#!/usr/bin/env bash
# Runs the kit's `unsafe` code in Miri, which finds undefined behaviour: networks over maps, with plain arrays, AVX, and
# AVX2 with FMA. Takes some minutes. Usage: scripts/check-unsafe.sh
# Needs the nightly compiler. The workbench's `unsafe` code is not run: Miri knows neither AVX-512 nor `fork`.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! rustup component add miri rust-src --toolchain nightly; then
    echo "skipped: the nightly compiler with Miri is not here: rustup toolchain install nightly"
    exit 0
fi
# The codecs are safe code, and Miri needs more than ten minutes for one of their tests.
flags=
[ "$(uname -m)" != x86_64 ] || flags=-Ctarget-feature=+avx2,+fma
RUSTFLAGS=$flags CARGO_TARGET_DIR=target/miri MIRIFLAGS=-Zmiri-disable-isolation \
    cargo +nightly miri test --locked -p contender-nn --test all policy_value
