#!/usr/bin/env bash
# The Python package: lints, a build, its tests with NumPy alone. Usage: scripts/check-python.sh
# If there is no Python 3.9 or PyPI cannot be reached it says so, and nothing is checked.
set -euo pipefail
cd "$(dirname "$0")/../workbench/python"

if ! python3 -c 'import sys, venv; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; then
    echo "skipped: there is no python3 from 3.9 on with the module venv"
    exit 0
fi
venv=$PWD/target/venv
python3 -m venv "$venv"
if ! "$venv/bin/pip" install --quiet --disable-pip-version-check --requirement tests/requirements.txt; then
    echo "skipped: PyPI cannot be reached"
    exit 0
fi
export VIRTUAL_ENV=$venv PYO3_PYTHON=$venv/bin/python
cargo fmt --check
cargo clippy -- -D warnings
"$venv/bin/maturin" develop --quiet
"$venv/bin/python" -m pytest --quiet -rs
