//! The command as users see it: every file in `tests/cmd` is a transcript.
//! `TRYCMD=overwrite cargo test -p contender-cli` updates the transcripts; read the difference before you commit it.

#[test]
fn transcripts() {
    trycmd::TestCases::new().case("tests/cmd/*.md");
}
