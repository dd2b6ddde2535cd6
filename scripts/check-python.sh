#!/usr/bin/env bash
# Checks the Python package: lints, a wheel, and its tests with only NumPy installed. Usage: scripts/check-python.sh
# If Python 3.9 or PyPI is missing, the script says so and exits with 0. All its files are below target/python.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$PWD/target/python

if ! python3 -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; then
    echo "skipped: there is no python3 from 3.9 on with the module venv"
    exit 0
fi
python3 -m venv "$out/venv"
pip() { "$out/venv/bin/pip" --quiet --disable-pip-version-check "$@"; }
cd workbench/python
if ! pip install --requirement tests/requirements.txt; then
    echo "skipped: PyPI cannot be reached"
    exit 0
fi
export CARGO_TARGET_DIR=$out PYO3_PYTHON=$out/venv/bin/python
cargo clippy --locked -- -D warnings
rm -rf "$out/wheels"
"$out/venv/bin/maturin" build --quiet --locked --compatibility linux --out "$out/wheels"
pip install --no-deps --force-reinstall "$out"/wheels/*.whl
PYTHONDONTWRITEBYTECODE=1 "$out/venv/bin/python" -m pytest --quiet -rs -p no:cacheprovider
