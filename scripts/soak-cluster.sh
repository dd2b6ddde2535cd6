#!/usr/bin/env bash
# Twenty rounds of a 1,000-game match over three workers, in which everything dies or is cut off once, at random places:
# scripts/soak-cluster.sh [ROUNDS]. Needs nats-server, and the right to make network namespaces for the slow line.
set -euo pipefail
cd "$(dirname "$0")/.."
CONTENDER_ROUNDS=${1:-20} CONTENDER_PAIRS=500 CONTENDER_NODES=${NODES:-15000} CONTENDER_LONG=1 \
    cargo test -p contender-cli --features cluster --test all -- --nocapture nothing_is_lost
