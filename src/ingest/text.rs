//! What people write, as the options of the command line and the columns of a table take it.

use jiff::Timestamp;

/// Seconds since the epoch of a time: they themselves, or RFC 3339.
pub fn time(text: &str) -> Option<i64> {
    text.parse().ok().or_else(|| Some(text.parse::<Timestamp>().ok()?.as_second()))
}

/// Ports of `6700-6703`, or `6700`.
///
/// # Errors
/// What is wrong with the text.
pub fn ports(text: &str) -> Result<Vec<u16>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let port = |text: &str| text.parse::<u16>().map_err(|_| format!("{text:?} is no port"));
    let (first, last) = (port(first)?, port(last)?);
    if first > last {
        return Err(format!("ports={text}: the first is above the last"));
    }
    Ok((first..=last).collect())
}
