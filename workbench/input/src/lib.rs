//! Safe reading of files that users name. Devices, pipes and huge files cause an error instead of filling the memory or
//! blocking forever.
//!
//! [`read`] and [`read_text`] read whole files. [`open`] opens large files for streaming, and [`read_line`] reads them
//! line by line. [`did_you_mean`] suggests a similar name for an unknown one, [`this_program`] returns the program's
//! name for commands in messages, and [`fingerprint`] hashes texts.

#![forbid(unsafe_code)]

mod fingerprint;
mod names;
mod program;

pub use fingerprint::fingerprint;
pub use names::{UnknownOptions, all_taken, did_you_mean};
pub use program::this_program;

use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::Path;

/// Maximum size in bytes of a settings file, recipe, opening list or source file that is read into memory.
pub const MAX_TEXT: u64 = 1 << 26;

/// Maximum size in bytes of a file with weights, positions or a program that is read into memory.
pub const MAX_DATA: u64 = 1 << 32;

/// Maximum length of a line in bytes.
pub const MAX_LINE: u64 = 1 << 24;

/// Opens a file for streaming. A pipe is accepted only if it is already open, such as `/dev/stdin` or a shell's
/// `<(...)`.
///
/// # Errors
/// Returns an error if the system cannot open the file, or if it is a folder, a device or a pipe, because reading those
/// might block forever.
pub fn open(path: &Path) -> io::Result<File> {
    let kind = path.metadata()?.file_type();
    let is_open = path == Path::new("/dev/stdin")
        || ["/dev/fd", "/proc/self/fd"].iter().any(|folder| path.starts_with(folder));
    if kind.is_dir() {
        return Err(io::Error::other("it is a folder"));
    }
    let is_open_pipe = is_open && is_pipe(kind);
    if !kind.is_file() && !is_open_pipe {
        return Err(io::Error::other("it is a device or a pipe, not a file"));
    }
    File::open(path)
}

#[cfg(unix)]
fn is_pipe(kind: std::fs::FileType) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&kind)
}

#[cfg(not(unix))]
fn is_pipe(_: std::fs::FileType) -> bool {
    false
}

/// Reads a file into memory.
///
/// # Errors
/// Returns the errors of [`open`], or an error if the file has more than `most` bytes.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let is_too_long = || io::Error::other(format!("it has more than {most} bytes"));
    let length = file.metadata()?.len();
    if length > most {
        return Err(is_too_long());
    }
    let mut bytes = Vec::with_capacity(length as usize);
    file.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(is_too_long()) } else { Ok(bytes) }
}

/// Reads a text file into memory.
///
/// # Errors
/// Returns the errors of [`read`] with [`MAX_TEXT`], or an error if the file is not UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path, MAX_TEXT)?).map_err(|_| io::Error::other("it is not UTF-8 text"))
}

/// Clears `line` and reads a line into it, including the line end. Returns the number of bytes read, which is 0 at the
/// end of the input.
///
/// # Errors
/// Returns an error if reading fails, or if the line has more than [`MAX_LINE`] bytes.
pub fn read_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<usize> {
    line.clear();
    let length = reader.take(MAX_LINE + 1).read_until(b'\n', line)?;
    if length as u64 > MAX_LINE {
        return Err(io::Error::other(format!("the line is longer than {MAX_LINE} bytes")));
    }
    Ok(length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[cfg(unix)]
    #[test]
    fn what_has_no_end_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let fifo = folder.path().join("fifo");
        assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
        for path in [Path::new("/dev/zero"), &fifo, folder.path()] {
            assert!(read(path, 10).unwrap_err().to_string().starts_with("it is "), "{}", path.display());
        }
    }

    #[test]
    fn length_is_bounded() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "0123456789").unwrap();
        assert_eq!(read(&path, 10).unwrap(), b"0123456789");
        assert_eq!(read(&path, 9).unwrap_err().to_string(), "it has more than 9 bytes");
        // A sparse file of a terabyte is refused at once.
        File::create(&path).unwrap().set_len(1 << 40).unwrap();
        assert!(read(&path, MAX_DATA).is_err());
        assert!(read_text(&path).is_err());
    }

    #[test]
    fn lines_end() {
        let mut text = Cursor::new(b"one\ntwo".to_vec());
        let mut line = Vec::new();
        let mut lengths = Vec::new();
        while read_line(&mut text, &mut line).unwrap() > 0 {
            lengths.push(line.len());
        }
        assert_eq!(lengths, [4, 3]);
        let mut endless = io::BufReader::new(io::repeat(b'x'));
        assert!(read_line(&mut endless, &mut line).is_err());
    }
}
