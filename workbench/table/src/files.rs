//! Files that are whole or not there.

use anyhow::{Context, Result};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Writes a file through a temporary one beside it, which takes its name when all is written and on the disk.
///
/// # Errors
/// If `write` fails, or the system does not let us write; an old file of that name is then as it was.
pub fn write_whole(path: &Path, write: impl FnOnce(&mut BufWriter<File>) -> Result<()>) -> Result<()> {
    let mut name = path.file_name().context("a file has a name")?.to_os_string();
    name.push(format!(".{}.part", std::process::id()));
    let part = path.with_file_name(name);
    let written: Result<()> = (|| {
        let mut out = BufWriter::new(File::create(&part)?);
        write(&mut out)?;
        out.flush()?;
        out.get_ref().sync_all()?;
        std::fs::rename(&part, path)?;
        Ok(())
    })();
    if written.is_err() {
        let _ = std::fs::remove_file(&part);
    }
    written.with_context(|| format!("cannot write {}", path.display()))
}
