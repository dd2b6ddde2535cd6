//! The command as users see it: every file of `tests/cmd` is a transcript.
//! `TRYCMD=overwrite cargo test -p contender-cli` renews them; read the difference before committing it.

#[test]
fn transcripts() {
    trycmd::TestCases::new().case("tests/cmd/*.md");
}
