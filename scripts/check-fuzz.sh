#!/usr/bin/env bash
# Fuzzes each target, starting from the seeds. Usage: scripts/check-fuzz.sh [SECONDS]   default: 60 per target
# Needs the nightly compiler and cargo-fuzz: cargo install cargo-fuzz
set -euo pipefail
cd "$(dirname "$0")/../fuzz"
if ! cargo fuzz --version >/dev/null 2>&1; then
    echo "skipped: cargo-fuzz is not here: cargo install --locked cargo-fuzz"
    exit 0
fi
for target in $(cargo +nightly fuzz list); do
    mkdir -p "corpus/$target"
    cargo +nightly fuzz run "$target" "corpus/$target" "seeds/$target" -- -max_total_time="${1:-60}" -max_len=3000
done
