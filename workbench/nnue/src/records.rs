//! Files of positions with what is known of their worth: records of one size, one after the other.

use anyhow::{Context, Result, ensure};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::{Duration, Instant};

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

/// The records of files. A last one that is not whole, as a writer that was killed leaves it, is passed over with a word.
///
/// # Errors
/// A file that cannot be read or has no record; what is wrong with a record, and its number.
pub fn read<R: Record>(files: &[impl AsRef<Path>]) -> Result<Vec<R>> {
    let mut records = Vec::new();
    for file in files {
        let name = file.as_ref().display();
        let bytes = std::fs::read(file).with_context(|| format!("cannot read {name}"))?;
        let whole = bytes.chunks_exact(R::BYTES);
        ensure!(whole.len() > 0, "{name} has no position");
        if !whole.remainder().is_empty() {
            eprintln!("{name}: the last position is not whole and left out");
        }
        for (number, bytes) in whole.enumerate() {
            records.push(R::read(bytes).with_context(|| format!("{name}: position {}", number + 1))?);
        }
    }
    Ok(records)
}

/// When games have been enough.
#[derive(Clone, Copy, Debug)]
pub struct Enough {
    /// After so many games.
    pub games: u64,
    /// After this time, whatever the number of games.
    pub time: Option<Duration>,
}

/// Plays games, of which `game` gives the records by number, into a new file; tells on standard error how it goes on, and what there
/// is in the end.
///
/// # Errors
/// A file of that name, which may have taken hours to make; a file that cannot be written.
pub fn play<R: Record>(file: &Path, enough: Enough, mut game: impl FnMut(u64) -> Vec<R>) -> Result<()> {
    let name = file.display();
    let made = File::create_new(file);
    let mut out = BufWriter::new(made.with_context(|| format!("cannot make {name}; move an old one away"))?);
    let start = Instant::now();
    let (mut positions, mut games) = (0, 0);
    let mut bytes = Vec::new();
    while games < enough.games && enough.time.is_none_or(|time| start.elapsed() < time) {
        bytes.clear();
        let records = game(games);
        records.iter().for_each(|record| record.write(&mut bytes));
        out.write_all(&bytes).with_context(|| format!("cannot write {name}"))?;
        games += 1;
        positions += records.len();
        if games % 100 == 0 {
            out.flush()?;
            let rate = positions as f64 / start.elapsed().as_secs_f64();
            eprintln!("{games} games, {positions} positions, {rate:.0} a second, {:.0?}", start.elapsed());
        }
    }
    out.flush()?;
    println!("{games} games, {positions} positions");
    Ok(())
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
    fn what_is_played_is_read_and_nothing_is_overwritten() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("games");
        let three = Enough { games: 3, time: None };
        play(&file, three, |number| vec![Pair(number as u8, 7), Pair(50, 8)]).expect("played");
        let pairs: Vec<Pair> = read(&[&file]).expect("read");
        assert_eq!(pairs, [Pair(0, 7), Pair(50, 8), Pair(1, 7), Pair(50, 8), Pair(2, 7), Pair(50, 8)]);
        assert!(play(&file, three, |_| vec![Pair(0, 0)]).is_err());
        assert_eq!(std::fs::read(&file).expect("there").len(), 12);
        let no_time = Enough { games: 3, time: Some(Duration::ZERO) };
        play(&folder.path().join("none"), no_time, |_| vec![Pair(0, 0)]).expect("played");
        assert!(
            read::<Pair>(&[folder.path().join("none")]).is_err(),
            "a file without positions is a mistake"
        );
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
