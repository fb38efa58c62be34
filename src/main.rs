//! The command line.

use std::io::{Read, Write};

fn main() -> std::io::Result<()> {
    let mut request = Vec::new();
    std::io::stdin().read_to_end(&mut request)?;
    std::io::stdout().write_all(&ballast::engine::answer_bytes(&request))
}
