#!/usr/bin/env bash
# Tests that the crates of `kit` can be published: the dry run compiles each packaged crate, and a bot outside this
# repository builds with the packaged crates and is packed into one file. Usage: scripts/check-publish.sh [CONTENDER]
# CONTENDER is the command; by default it is built. Needs the index of crates.io.
set -euo pipefail
cd "$(dirname "$0")/.."

kit=(game nn search value puct)
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The dry run publishes nothing: it unpacks each crate and compiles it with the other packaged crates.
CARGO_TARGET_DIR=$work/target cargo publish --dry-run --allow-dirty "${kit[@]/#/-pcontender-}"
for name in "${kit[@]}"; do
    mv "$work/target/package/contender-$name-$version" "$work"
    for file in README.md LICENSE-APACHE LICENSE-MIT; do
        test -s "$work/contender-$name-$version/$file"
    done
done

contender=${1:-}
if [ -z "$contender" ]; then
    cargo build --locked --release
    contender=$PWD/target/release/contender
fi
# The example from contender-search's front page as a bot that reads a number of sticks and writes its move.
mkdir -p "$work/nim/src"
{
    printf '[package]\nname = "nim"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\n'
    printf 'contender-game = "%s"\ncontender-search = "%s"\n\n[patch.crates-io]\n' "$version" "$version"
    for name in "${kit[@]:0:3}"; do
        printf 'contender-%s = { path = "%s" }\n' "$name" "$work/contender-$name-$version"
    done
    printf '\n[workspace]\n'
} >"$work/nim/Cargo.toml"
{
    sed -n '/^```rust/,/^```/p' "$work/contender-search-$version/README.md" | sed '/^```/d; /^let mut search/,$d'
    cat <<'END'
fn main() {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).unwrap();
    let start = Nim { sticks: line.trim().parse().unwrap(), to_move: Player::Zero };
    let mut search = Search::<Nim, Points, NoChance>::new(Points, SearchConfig::FULL);
    println!("{}", search.search(&start, &SearchLimits::depth(9)).moves[0].mv);
}
END
} >"$work/nim/src/main.rs"
cd "$work/nim"
test "$(echo 7 | CARGO_TARGET_DIR=$work/target cargo run -q)" = 3
"$contender" pack --manifest Cargo.toml -o "$work/bot.rs"
rustc --edition 2021 -O "$work/bot.rs" -o "$work/bot"
test "$(echo 7 | "$work/bot")" = 3
echo "the crates of kit can be published; a bot that uses them builds and is packed into one file"
