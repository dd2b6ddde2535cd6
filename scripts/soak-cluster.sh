#!/usr/bin/env bash
# Plays a match of 1,000 games on three workers, twenty times. In each round every program is killed or disconnected once,
# at a random moment. Usage: scripts/soak-cluster.sh [ROUNDS]
# Needs nats-server, and permission to create network namespaces for the slow connection.
set -euo pipefail
cd "$(dirname "$0")/.."
CONTENDER_ROUNDS=${1:-20} CONTENDER_PAIRS=500 CONTENDER_NODES=${NODES:-15000} CONTENDER_LONG=1 \
    cargo test -p contender-cli --features cluster --test all -- --nocapture nothing_is_lost
