#!/bin/sh
# Checks the pages of the web app with axe-core, which is installed from npm into a temporary folder. Needs npm, and the
# browser from scripts/install-browser.sh.
set -eu
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$folder" axe-core@4
cargo build -p contender-cli
CONTENDER_AXE="$folder/node_modules/axe-core/axe.min.js" cargo test -p contender-web --test all every_control
