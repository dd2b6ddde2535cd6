//! The experiments as a reader of the notes repeats them: `transcripts.md` has commands with their output.
//! `TRYCMD=overwrite cargo test -p contender-lab` renews it.

#[test]
fn transcripts() {
    trycmd::TestCases::new().case("tests/transcripts.md");
}
