//! The parts of one line, found by position: names and values may hold tabs and blanks, hosts colons.

use memchr::{memchr, memrchr};

/// Characters of a metric's name: `LoggingMetricsConsumer` pads it to them, or cuts it there.
pub(super) const NAME_CHARS: usize = 23;

/// Longest host or component id that is believed.
const LONGEST_ID: usize = 1024;

/// Start of the message on a line that begins as a record does: date, a blank, the uptime of the JVM, blanks.
pub(super) fn message(line: &[u8]) -> Option<&[u8]> {
    const DATE: &[u8; 24] = b"dddd-dd-dd dd:dd:dd,ddd ";
    let date = line.get(..DATE.len())?;
    let fits = |(byte, form): (&u8, &u8)| if *form == b'd' { byte.is_ascii_digit() } else { byte == form };
    if !date.iter().zip(DATE).all(fits) {
        return None;
    }
    let rest = &line[DATE.len()..];
    let uptime = digits(rest)?;
    let blanks = rest[uptime..].iter().take_while(|byte| **byte == b' ').count();
    (blanks > 0).then(|| &rest[uptime + blanks..])
}

/// Seconds from the date of a record to its own time stamp: the time zone of its writer, and the clocks' difference.
pub(super) fn lag(line: &[u8], at: i64) -> i64 {
    let part = |from: usize, to: usize| line.get(from..to).and_then(number).unwrap_or(0);
    let days = days_since_epoch(part(0, 4), part(5, 7), part(8, 10));
    at - (days * 86_400 + part(11, 13) * 3_600 + part(14, 16) * 60 + part(17, 19))
}

/// Days from 1970-01-01 to a day of the Gregorian calendar; the year is counted from March, so that February ends it.
fn days_since_epoch(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let months = (month + 9) % 12;
    year * 365 + year.div_euclid(4) - year.div_euclid(100)
        + year.div_euclid(400)
        + (months * 153 + 2) / 5
        + day
        - 1
        - 719_468
}

/// What every line of one tick of one task begins with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Header<'a> {
    /// Seconds since the epoch, by the clock of the worker that ticked.
    pub(super) at: i64,
    pub(super) host: &'a [u8],
    pub(super) port: u16,
    /// -1 is the worker itself.
    pub(super) task: i32,
    pub(super) component: &'a [u8],
    /// Bytes of the message before the name.
    pub(super) len: usize,
}

/// The header of a message; none where it is not one of `LoggingMetricsConsumer`.
pub(super) fn header(message: &[u8]) -> Option<Header<'_>> {
    let (at, rest) = timestamp(message)?;
    let tab = memchr(b'\t', rest)?;
    let colon = memrchr(b':', &rest[..tab])?;
    let host = trimmed(&rest[..colon]);
    let port = number(trimmed(&rest[colon + 1..tab]))?;
    let rest = &rest[tab + 1..];
    let colon = memchr(b':', rest)?;
    let task = number(trimmed(&rest[..colon]))?;
    // The first tab that leaves a name of 23 characters behind it: a component id may hold one, too.
    let mut end = colon + 1;
    loop {
        end += memchr(b'\t', &rest[end..])?;
        if name_len(&rest[end + 1..]).is_some() {
            break;
        }
        end += 1;
    }
    let component = trimmed(&rest[colon + 1..end]);
    let ids = [host, component];
    let len = message.len() - rest.len() + end + 1;
    let believed = ids.iter().all(|id| (1..=LONGEST_ID).contains(&id.len())) && task >= -1;
    let (port, task) = (u16::try_from(port).ok()?, i32::try_from(task).ok()?);
    believed.then_some(Header { at, host, port, task, component, len })
}

/// Name, without the blanks that pad it, and value of what follows a header.
pub(super) fn name_and_value(rest: &[u8]) -> Option<(&[u8], &[u8])> {
    let len = name_len(rest)?;
    Some((trimmed_end(&rest[..len]), &rest[len + 1..]))
}

/// A line of `org.apache.storm.metric.LoggingClusterMetricsConsumer`: a host without a port, and no task.
pub(super) fn of_the_cluster(message: &[u8]) -> bool {
    let parts = || {
        let (_, rest) = timestamp(message)?;
        let host = memchr(b'\t', rest)?;
        let rest = &rest[host + 1..];
        let supervisor = memchr(b'\t', rest)?;
        (host >= 15 && supervisor >= 40).then_some(())?;
        name_len(&rest[supervisor + 1..])
    };
    header(message).is_none() && parts().is_some()
}

/// Seconds since the epoch at the start of a message, and what follows the tab behind them.
fn timestamp(message: &[u8]) -> Option<(i64, &[u8])> {
    let len = digits(message)?;
    let at = number(&message[..len])?;
    // 10^11 s is the year 5138.
    (message.get(len) == Some(&b'\t') && at < 100_000_000_000).then(|| (at, &message[len + 1..]))
}

/// Bytes of a name of 23 characters that a tab follows. Characters are Java's: those beyond the basic plane count twice.
fn name_len(rest: &[u8]) -> Option<usize> {
    let tab_at = |at: usize| (rest.get(at) == Some(&b'\t')).then_some(at);
    if rest.get(..NAME_CHARS)?.is_ascii() {
        return tab_at(NAME_CHARS);
    }
    let mut chars = 0;
    for (at, byte) in rest.iter().enumerate() {
        let begins = match byte {
            0x80..=0xbf => 0,
            0xf0.. => 2,
            _ => 1,
        };
        if begins > 0 && chars >= NAME_CHARS {
            return tab_at(at);
        }
        chars += begins;
    }
    None
}

/// Digits at the start; none without any.
fn digits(text: &[u8]) -> Option<usize> {
    Some(text.iter().take_while(|byte| byte.is_ascii_digit()).count()).filter(|len| *len > 0)
}

/// A whole number of at most 18 digits.
pub(super) fn number(text: &[u8]) -> Option<i64> {
    let (negative, figures) = match text {
        [b'-', rest @ ..] => (true, rest),
        _ => (false, text),
    };
    if digits(figures)? != figures.len() || figures.len() > 18 {
        return None;
    }
    let value = figures.iter().fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0'));
    Some(if negative { -value } else { value })
}

fn trimmed_end(text: &[u8]) -> &[u8] {
    let blanks = text.iter().rev().take_while(|byte| **byte == b' ').count();
    &text[..text.len() - blanks]
}

fn trimmed(text: &[u8]) -> &[u8] {
    let blanks = text.iter().take_while(|byte| **byte == b' ').count();
    trimmed_end(&text[blanks..])
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &[u8] = b"2026-11-30 00:26:59,055 36000000 1764460801\tnode2.rack-a.example.net:6701\t 12:count      \t__execute-count-split:d\t960";

    #[test]
    fn the_parts_of_a_line_lie_where_storm_prints_them() {
        let message = message(LINE).unwrap();
        let header = header(message).unwrap();
        assert_eq!((header.at, header.port, header.task), (1_764_460_801, 6701, 12));
        assert_eq!((header.host, header.component), (&b"node2.rack-a.example.net"[..], &b"count"[..]));
        let (name, value) = name_and_value(&message[header.len..]).unwrap();
        assert_eq!((name, value), (&b"__execute-count-split:d"[..], &b"960"[..]));
    }

    #[test]
    fn the_name_is_23_characters_whatever_they_are() {
        let rest = "my.metric\twith tab \u{e4}\u{1f980}e\tv1\tx".as_bytes();
        assert_eq!(name_len(rest), Some(rest.len() - 5));
        assert_eq!(name_and_value(b"short\tvalue"), None);
    }

    #[test]
    fn a_line_that_does_not_begin_with_a_date_is_no_record() {
        assert_eq!(message(b"v2=3\tx"), None);
        assert_eq!(message(&LINE[..30]), None);
        assert!(message(&LINE[1..]).is_none());
    }

    #[test]
    fn the_cluster_s_look_alike_is_told_by_its_columns() {
        let line =
            format!("1764460800\t{:>15}\t{:>40}\t{:<23}\t4", "node1", "4fe659a1-127.0.0.1", "slotsTotal");
        assert!(of_the_cluster(line.as_bytes()));
        assert!(!of_the_cluster(message(LINE).unwrap()));
    }

    #[test]
    fn numbers_are_whole_and_fit() {
        assert_eq!(number(b"-1"), Some(-1));
        assert_eq!(number(b"1200"), Some(1200));
        assert_eq!((number(b"20.0"), number(b""), number(b"-"), number(b"NaN")), (None, None, None, None));
        assert_eq!(number(b"9999999999999999999"), None);
    }
}
