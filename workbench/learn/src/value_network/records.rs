//! Files with a sequence of records, which contain positions and their targets.

use anyhow::{Context, Result, anyhow, ensure};
use contender_value::Record;
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

/// Returns the records in a file. Skips an incomplete last record, which a killed process may have left behind.
///
/// # Errors
/// Returns an error if the file cannot be read, contains no records, or contains an invalid record (the error contains
/// its number).
pub fn read<R: Record>(file: &Path) -> Result<Vec<R>> {
    let name = file.display();
    let bytes = contender_input::read(file, contender_input::MAX_DATA)
        .with_context(|| format!("cannot read {name}"))?;
    let (mut records, mut left) = (Vec::new(), &bytes[..]);
    while let Some((record, rest)) = first::<R>(left) {
        let number = records.len() + 1;
        let read = R::read(record).map_err(|error| anyhow!("{name}: record {number}: {error}"));
        records.push(read?);
        left = rest;
    }
    ensure!(!records.is_empty(), "{name} contains no positions");
    Ok(records)
}

/// Returns the bytes of the first record, and the remaining bytes.
fn first<R: Record>(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let more = R::more(bytes.get(..R::BYTES)?);
    let length = R::BYTES.checked_add(more)?;
    Some((bytes.get(..length)?, &bytes[length..]))
}

/// Appends records to a file after the first `end` bytes, and returns the new number of valid bytes. Overwrites any
/// bytes after `end`, which a killed process may have left behind.
///
/// # Errors
/// Returns an error if the file cannot be written, or if it is shorter than `end`.
pub fn append<R: Record>(file: &Path, end: u64, records: &[R]) -> Result<u64> {
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
    ensure!(out.metadata()?.len() >= end, "{name} is too short: its positions need {end} bytes");
    out.set_len(end)
        .and_then(|()| out.seek(SeekFrom::Start(end)))
        .and_then(|_| out.write_all(&bytes))
        .with_context(|| format!("cannot write {name}"))?;
    Ok(end + bytes.len() as u64)
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

        fn read(bytes: &[u8]) -> Result<Pair, String> {
            if bytes[0] < 100 { Ok(Pair(bytes[0], bytes[1])) } else { Err("too large".to_string()) }
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("games");
        let end = append(&file, 0, &[Pair(1, 2), Pair(3, 4)]).expect("written");
        assert_eq!(append(&file, end, &[Pair(5, 6)]).expect("written"), 6);
        assert_eq!(read::<Pair>(&file).expect("read"), [Pair(1, 2), Pair(3, 4), Pair(5, 6)]);
        append(&file, 2, &[Pair(7, 8)]).expect("written");
        assert_eq!(read::<Pair>(&file).expect("read"), [Pair(1, 2), Pair(7, 8)]);
        assert!(append(&file, 5, &[Pair(7, 8)]).is_err());
        append::<Pair>(&file, 0, &[]).expect("written");
        assert!(read::<Pair>(&file).is_err(), "a file without positions is a mistake");
    }

    /// A record whose length depends on its first byte.
    #[derive(PartialEq, Debug)]
    struct Threes(u8);

    impl Record for Threes {
        const BYTES: usize = 1;

        fn more(head: &[u8]) -> usize {
            head[0].into()
        }

        fn write(&self, bytes: &mut Vec<u8>) {
            bytes.push(self.0);
            bytes.extend(vec![3; self.0.into()]);
        }

        fn read(bytes: &[u8]) -> Result<Threes, String> {
            let is_well = bytes[1..].iter().all(|&byte| byte == 3);
            if is_well { Ok(Threes(bytes[0])) } else { Err("no three".to_string()) }
        }
    }

    #[test]
    fn records_may_differ_in_size() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("threes");
        let end = append(&file, 0, &[Threes(2), Threes(0)]).expect("written");
        append(&file, end, &[Threes(5)]).expect("written");
        assert_eq!(read::<Threes>(&file).expect("read"), [Threes(2), Threes(0), Threes(5)]);
        append(&file, end, &[Threes(1)]).expect("written");
        assert_eq!(read::<Threes>(&file).expect("read"), [Threes(2), Threes(0), Threes(1)]);
        std::fs::write(&file, [1, 3, 4, 3, 3]).expect("written");
        assert_eq!(read::<Threes>(&file).expect("the last is torn"), [Threes(1)]);
        std::fs::write(&file, [1, 3, 1, 4]).expect("written");
        let error = format!("{:#}", read::<Threes>(&file).expect_err("wrong"));
        assert!(error.ends_with("record 2: no three"), "{error}");
    }

    #[test]
    fn torn_files_are_read_and_wrong_ones_are_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("torn");
        std::fs::write(&file, [1, 2, 3]).expect("written");
        assert_eq!(read::<Pair>(&file).expect("read"), [Pair(1, 2)]);
        std::fs::write(&file, [1, 2, 100, 3]).expect("written");
        let error = format!("{:#}", read::<Pair>(&file).expect_err("wrong"));
        assert!(error.ends_with("record 2: too large"), "{error}");
    }
}
