//! Lines of a file, plain or gzipped, read in blocks: no line is copied, and none makes the memory grow.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;
use std::sync::Arc;

use flate2::read::MultiGzDecoder;
use memchr::memchr2;

/// Bytes read at once, and the longest line that is read: a map of a thousand connections takes a tenth of it.
const BLOCK: usize = 256 * 1024;

/// What stands between two ends of lines.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// A line that ended.
    Line(&'a [u8]),
    /// One that did not: the file ends in it, or NUL bytes follow, as after a crash.
    Cut,
    /// One longer than a block; it was passed over.
    Long,
}

/// A file being read.
pub(super) struct Lines {
    input: Box<dyn Read + Send>,
    gzipped: bool,
    block: Vec<u8>,
    /// Start of what was not handed out yet, how far it was searched, and the end of what was read.
    from: usize,
    searched: usize,
    to: usize,
    over: bool,
    passing: bool,
    /// Why the rest of a gzipped file could not be read.
    pub(super) damage: Option<String>,
}

impl Lines {
    /// Opens a file; what it is, its first bytes tell.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        Self::new(Box::new(File::open(path)?))
    }

    /// Reads what is in memory.
    pub(super) fn of_bytes(bytes: Arc<[u8]>) -> io::Result<Self> {
        Self::new(Box::new(Cursor::new(bytes)))
    }

    fn new(mut input: Box<dyn Read + Send>) -> io::Result<Self> {
        let mut magic = Vec::new();
        input.by_ref().take(2).read_to_end(&mut magic)?;
        let gzipped = magic == [0x1f, 0x8b];
        let whole = Cursor::new(magic).chain(input);
        // Several gzip members in one file are what `cat a.gz b.gz` makes.
        let input: Box<dyn Read + Send> =
            if gzipped { Box::new(MultiGzDecoder::new(whole)) } else { Box::new(whole) };
        let block = vec![0; BLOCK];
        let (from, searched, to) = (0, 0, 0);
        Ok(Self { input, gzipped, block, from, searched, to, over: false, passing: false, damage: None })
    }

    /// The next piece; none at the end.
    pub(super) fn next(&mut self) -> io::Result<Option<Piece<'_>>> {
        loop {
            if let Some(len) = memchr2(b'\n', 0, &self.block[self.searched..self.to]) {
                let (start, end) = (self.from, self.searched + len);
                let ended = self.block[end] == b'\n';
                self.from = end + 1;
                self.searched = self.from;
                if std::mem::take(&mut self.passing) {
                    return Ok(Some(Piece::Long));
                }
                match (ended, start == end) {
                    (true, _) => return Ok(Some(Piece::Line(without_return(&self.block[start..end])))),
                    (false, false) => return Ok(Some(Piece::Cut)),
                    // A run of NULs.
                    (false, true) => continue,
                }
            }
            self.searched = self.to;
            if self.over {
                let rest = std::mem::replace(&mut self.from, self.to) < self.to;
                return Ok(match (rest, std::mem::take(&mut self.passing)) {
                    (_, true) => Some(Piece::Long),
                    (true, false) => Some(Piece::Cut),
                    (false, false) => None,
                });
            }
            self.fill()?;
        }
    }

    /// Reads on, after what is left of a line.
    fn fill(&mut self) -> io::Result<()> {
        self.block.copy_within(self.from..self.to, 0);
        self.to -= self.from;
        self.from = 0;
        if self.to == self.block.len() {
            self.to = 0;
            self.passing = true;
        }
        self.searched = self.to;
        match self.input.read(&mut self.block[self.to..]) {
            Ok(0) => self.over = true,
            Ok(read) => self.to += read,
            Err(again) if again.kind() == io::ErrorKind::Interrupted => {}
            // What was unpacked so far is whole; a file that is cut or damaged gives no more.
            Err(damage) if self.gzipped && !from_the_system(&damage) => {
                self.damage = Some(damage.to_string());
                self.over = true;
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }
}

fn from_the_system(error: &io::Error) -> bool {
    error.raw_os_error().is_some()
}

fn without_return(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn pieces(bytes: &[u8]) -> Vec<String> {
        let mut lines = Lines::of_bytes(bytes.into()).unwrap();
        let mut all = Vec::new();
        while let Some(piece) = lines.next().unwrap() {
            all.push(match piece {
                Piece::Line(line) => String::from_utf8_lossy(line).into_owned(),
                other => format!("{other:?}"),
            });
        }
        all
    }

    fn gz(bytes: &[u8]) -> Vec<u8> {
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(bytes).unwrap();
        packed.finish().unwrap()
    }

    #[test]
    fn lines_that_end_are_whole_and_others_cut() {
        assert_eq!(pieces(b"one\r\n\ntwo\nthr"), ["one", "", "two", "Cut"]);
        assert_eq!(pieces(b"one\ntw\0\0\0\0three\n\0\0"), ["one", "Cut", "three"]);
        assert_eq!(pieces(b""), [""; 0]);
    }

    #[test]
    fn gzip_is_told_by_its_bytes_and_read_as_far_as_it_goes() {
        let mut two = gz(b"one\n");
        two.extend(gz(b"two\n"));
        assert_eq!(pieces(&two), ["one", "two"]);
        let mut lines = Lines::of_bytes(two[..two.len() - 9].into()).unwrap();
        let mut seen = 0;
        while lines.next().unwrap().is_some() {
            seen += 1;
        }
        assert!(lines.damage.is_some() && seen >= 1, "{seen} {:?}", lines.damage);
    }

    #[test]
    fn a_line_longer_than_a_block_is_passed_over() {
        let mut bytes = b"one\n".to_vec();
        bytes.resize(5 * BLOCK, b'x');
        bytes.extend(b"\ntwo\n");
        assert_eq!(pieces(&bytes), ["one", "Long", "two"]);
    }
}
