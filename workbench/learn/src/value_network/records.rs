//! Files of positions with what is known of their worth: records of one size, one after the other.

use anyhow::{Context, Result, ensure};
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

/// What a file has one after the other.
pub trait Record: Sized {
    /// Bytes of each.
    const BYTES: usize;

    /// Appends its bytes, [`BYTES`](Record::BYTES) of them.
    fn write(&self, bytes: &mut Vec<u8>);

    /// Reads what [`write`](Record::write) wrote.
    ///
    /// # Errors
    /// What is wrong with the bytes.
    fn read(bytes: &[u8]) -> Result<Self>;
}

/// The records of files. A last one that is not whole, as a writer that was killed leaves it, is passed over.
///
/// # Errors
/// A file that cannot be read or has no record; what is wrong with a record, and its number.
pub fn read<R: Record>(files: &[impl AsRef<Path>]) -> Result<Vec<R>> {
    let mut records = Vec::new();
    for file in files {
        let name = file.as_ref().display();
        let bytes = contender_input::read(file.as_ref(), contender_input::MOST_DATA)
            .with_context(|| format!("cannot read {name}"))?;
        let whole = bytes.chunks_exact(R::BYTES);
        ensure!(whole.len() > 0, "{name} has no position");
        for (number, bytes) in whole.enumerate() {
            records.push(R::read(bytes).with_context(|| format!("{name}: position {}", number + 1))?);
        }
    }
    Ok(records)
}

/// Appends records to a file that has so many whole ones that count; what is behind them, as a process that was killed
/// leaves it, is overwritten.
///
/// # Errors
/// A file that cannot be written, or that has fewer records.
pub fn append<R: Record>(file: &Path, before: u64, records: &[R]) -> Result<()> {
    let name = file.display();
    let bytes: Vec<u8> = records.iter().fold(Vec::new(), |mut bytes, record| {
        record.write(&mut bytes);
        bytes
    });
    let mut options = File::options();
    let mut out = options
        .create(true)
        .truncate(false)
        .write(true)
        .open(file)
        .with_context(|| format!("cannot open {name}"))?;
    let end = before * R::BYTES as u64;
    ensure!(out.metadata()?.len() >= end, "{name} has fewer than {before} positions");
    out.set_len(end)
        .and_then(|()| out.seek(SeekFrom::Start(end)))
        .and_then(|_| out.write_all(&bytes))
        .with_context(|| format!("cannot write {name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(PartialEq, Debug)]
    struct Pair(u8, u8);

    impl Record for Pair {
        const BYTES: usize = 2;

        fn write(&self, bytes: &mut Vec<u8>) {
            bytes.extend([self.0, self.1]);
        }

        fn read(bytes: &[u8]) -> Result<Pair> {
            ensure!(bytes[0] < 100, "too large");
            Ok(Pair(bytes[0], bytes[1]))
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("games");
        append(&file, 0, &[Pair(1, 2), Pair(3, 4)]).expect("written");
        append(&file, 2, &[Pair(5, 6)]).expect("written");
        assert_eq!(read::<Pair>(&[&file]).expect("read"), [Pair(1, 2), Pair(3, 4), Pair(5, 6)]);
        append(&file, 1, &[Pair(7, 8)]).expect("written");
        assert_eq!(read::<Pair>(&[&file]).expect("read"), [Pair(1, 2), Pair(7, 8)]);
        assert!(append(&file, 3, &[Pair(7, 8)]).is_err());
        append::<Pair>(&file, 0, &[]).expect("written");
        assert!(read::<Pair>(&[&file]).is_err(), "a file without positions is a mistake");
    }

    #[test]
    fn torn_files_are_read_and_wrong_ones_are_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("torn");
        std::fs::write(&file, [1, 2, 3]).expect("written");
        assert_eq!(read::<Pair>(&[&file]).expect("read"), [Pair(1, 2)]);
        std::fs::write(&file, [1, 2, 100, 3]).expect("written");
        let error = format!("{:#}", read::<Pair>(&[&file]).expect_err("wrong"));
        assert!(error.ends_with("position 2: too large"), "{error}");
    }
}
