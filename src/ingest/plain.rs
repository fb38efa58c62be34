//! Bytes of a file, unpacked where they are packed.

use std::fs::File;
use std::io::{self, Cursor, Read};

use flate2::read::MultiGzDecoder;

/// First bytes of gzip, RFC 1952.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// What a file holds, unpacked if it is a gzip file, which its first bytes tell and not its name.
pub fn plain(mut file: File) -> io::Result<Box<dyn Read>> {
    let mut head = Vec::new();
    file.by_ref().take(GZIP.len() as u64).read_to_end(&mut head)?;
    let packed = head == GZIP;
    let all = Cursor::new(head).chain(file);
    Ok(if packed { Box::new(MultiGzDecoder::new(io::BufReader::new(all))) } else { Box::new(all) })
}
