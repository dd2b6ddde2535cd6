#!/usr/bin/env bash
# Installs the browser for the tests of the web app: Debian's Chromium and its driver.
set -euo pipefail
command -v chromedriver >/dev/null && command -v chromium >/dev/null && exit 0
sudo=$([ "$(id -u)" = 0 ] || echo sudo)
$sudo apt-get update
$sudo apt-get install -y --no-install-recommends chromium chromium-driver fonts-dejavu-core
