#!/usr/bin/env bash
# Compares the public API of the kit's crates with the latest tagged version. Usage: scripts/check-semver.sh
# Needs cargo-semver-checks: cargo install --locked cargo-semver-checks
set -euo pipefail
cd "$(dirname "$0")/.."
if ! tag=$(git describe --tags --abbrev=0 --match 'v*' 2>/dev/null); then
    echo "skipped: no version is tagged"
    exit 0
fi
if ! cargo semver-checks --version >/dev/null 2>&1; then
    echo "skipped: cargo-semver-checks is not here: cargo install --locked cargo-semver-checks"
    exit 0
fi
cargo semver-checks --baseline-rev "$tag" -p contender-game -p contender-nn -p contender-puct -p contender-search -p contender-value
