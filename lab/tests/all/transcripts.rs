//! The experiments as readers of the notes repeat them: `transcripts.md` contains commands with their output.
//! `TRYCMD=overwrite cargo test -p contender-lab` updates the file.

#[test]
fn transcripts() {
    trycmd::TestCases::new().case("tests/transcripts.md");
}
