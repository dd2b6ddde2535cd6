//! Files that are whole or not there.

use anyhow::{Context, Result};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Writes a file through a temporary one beside it, which takes its name when all is written and on the disk. What is
/// no file, as `/dev/null` or a pipe, is written to as it stands: a file in its place would break every other program
/// that uses it. A link stays, and leads to the new file.
///
/// # Errors
/// If `write` fails, or the system does not let us write; an old file of that name is then as it was.
pub fn write_whole(path: &Path, write: impl FnOnce(&mut BufWriter<File>) -> Result<()>) -> Result<()> {
    let path = &path.canonicalize().unwrap_or_else(|_| path.into());
    if path.metadata().is_ok_and(|there| !there.is_file()) {
        return write_through(path, write).with_context(|| format!("cannot write {}", path.display()));
    }
    let mut name = path.file_name().context("a file has a name")?.to_os_string();
    name.push(format!(".{}.part", std::process::id()));
    let part = path.with_file_name(name);
    let written = write_through(&part, |out| {
        write(out)?;
        out.flush()?;
        Ok(out.get_ref().sync_all()?)
    })
    .and_then(|()| Ok(std::fs::rename(&part, path)?));
    if written.is_err() {
        let _ = std::fs::remove_file(&part);
    }
    written.with_context(|| format!("cannot write {}", path.display()))
}

fn write_through(path: &Path, write: impl FnOnce(&mut BufWriter<File>) -> Result<()>) -> Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    write(&mut out)?;
    Ok(out.flush()?)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{FileTypeExt, symlink};
    use std::os::unix::net::UnixListener;

    #[test]
    fn a_link_leads_to_the_new_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        std::fs::write(&file, "old").expect("a file");
        symlink(&file, &link).expect("a link");
        write_whole(&link, |out| Ok(out.write_all(b"new")?)).expect("written");
        assert!(link.is_symlink());
        assert_eq!(std::fs::read(&file).expect("read"), b"new");
    }

    #[test]
    fn what_is_no_file_keeps_its_kind() {
        let folder = tempfile::tempdir().expect("a folder");
        let socket = folder.path().join("socket");
        let _listener = UnixListener::bind(&socket).expect("a socket");
        let refused =
            write_whole(&socket, |out| Ok(out.write_all(b"x")?)).expect_err("a socket cannot be opened");
        assert!(refused.to_string().contains("socket"), "{refused}");
        assert!(socket.metadata().expect("there").file_type().is_socket());
    }
}
