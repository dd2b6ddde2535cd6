//! File writing that either completes or leaves the old file unchanged.

use anyhow::{Context, Result};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes a file atomically: writes a temporary file in the same folder, and renames it when all data is on disk.
/// Writes directly to devices and pipes such as `/dev/null`, because replacing them would break other programs. Keeps a
/// symbolic link, which then points to the new contents.
///
/// # Errors
/// Returns an error if `write` fails or the file cannot be written. An existing file is then unchanged.
pub fn write_whole(path: &Path, write: impl FnOnce(&mut BufWriter<File>) -> Result<()>) -> Result<()> {
    let path = &path.canonicalize().unwrap_or_else(|_| path.into());
    if path.metadata().is_ok_and(|there| !there.is_file()) {
        return write_through(path, write).with_context(|| format!("cannot write {}", path.display()));
    }
    let part = part_of(path)?;
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

/// Checks in advance that [`write_whole`] can write a file. Does not change an existing file, and leaves no new file
/// behind.
///
/// # Errors
/// Returns an error if the file cannot be written. Devices and pipes are not tested, because opening a pipe would wait
/// for a reader.
pub fn check_writable(path: &Path) -> Result<()> {
    let path = &path.canonicalize().unwrap_or_else(|_| path.into());
    let tried = match path.metadata() {
        Ok(there) if there.is_dir() => Err(io::Error::other("it is a folder").into()),
        Ok(there) if !there.is_file() => Ok(()),
        _ => part_of(path).and_then(|part| {
            File::create(&part)?;
            Ok(std::fs::remove_file(&part)?)
        }),
    };
    tried.with_context(|| format!("cannot write {}", path.display()))
}

/// Returns the path of the temporary file for a file.
fn part_of(path: &Path) -> Result<PathBuf> {
    let mut name = path.file_name().context("the path does not end in a file name")?.to_os_string();
    name.push(format!(".{}.part", std::process::id()));
    Ok(path.with_file_name(name))
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
    fn what_can_be_written_is_left_as_it_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let (old, new) = (folder.path().join("old"), folder.path().join("new"));
        std::fs::write(&old, "old").expect("a file");
        for path in [&old, &new, Path::new("/dev/null")] {
            check_writable(path).expect("it can be written");
        }
        let names: Vec<_> =
            folder.path().read_dir().expect("a folder").map(|file| file.unwrap().path()).collect();
        assert_eq!((names, std::fs::read(&old).expect("read")), (vec![old.clone()], b"old".to_vec()));
        for path in [folder.path(), &folder.path().join("none/new"), &old.join("new")] {
            let refused = format!("{:#}", check_writable(path).expect_err("it cannot"));
            assert!(refused.starts_with("cannot write ") && refused.contains(": "), "{refused}");
        }
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
