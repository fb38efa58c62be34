//! Figures as people write them.

/// `2026-01-31 12:30:00`, in UTC; seconds since the epoch.
pub(super) fn time(at: i64) -> String {
    let last = jiff::Timestamp::MAX.as_second();
    let text = jiff::Timestamp::from_second(at.clamp(0, last)).unwrap_or_default().to_string();
    text.trim_end_matches('Z').replace('T', " ")
}

/// `3 h 20 min`: a span of seconds in its two largest units.
pub(super) fn span(secs: f64) -> String {
    if !secs.is_finite() {
        return "unknown".to_owned();
    }
    if secs < 60.0 {
        let decimals = usize::from(secs > 0.0 && secs < 10.0 && secs.fract() != 0.0);
        return format!("{secs:.decimals$} s");
    }
    let whole = secs.round() as u64;
    let (large, small, names) = match whole {
        0..3_600 => (whole / 60, whole % 60, ["min", "s"]),
        3_600..86_400 => (whole / 3_600, whole % 3_600 / 60, ["h", "min"]),
        _ => (whole / 86_400, whole % 86_400 / 3_600, ["d", "h"]),
    };
    if small == 0 {
        format!("{large} {}", names[0])
    } else {
        format!("{large} {} {small} {}", names[0], names[1])
    }
}

/// `12,345`.
pub(super) fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// `1 restart`, `2 restarts`.
pub(super) fn counted(n: u64, what: &str) -> String {
    format!("{} {what}{}", count(n), if n == 1 { "" } else { "s" })
}

/// `1.5 MiB`.
pub(super) fn bytes(n: u64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    if n < 1024 {
        return format!("{n} B");
    }
    let mut value = n as f64 / 1024.0;
    let mut unit = 0;
    while value >= 1023.95 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{value:.1} {}", UNITS[unit])
}

/// A fraction of capacity.
pub(super) fn fraction(value: f64) -> String {
    format!("{value:.3}")
}

/// Tuples a second.
pub(super) fn rate(value: f64) -> String {
    if value < 10.0 { format!("{value:.1}") } else { count(value.round() as u64) }
}

/// `87 %`; never 100 or 0 where something is missing or there.
pub(super) fn percent(fraction: f64) -> String {
    let percent = fraction * 100.0;
    match percent {
        p if p > 99.0 && p < 100.0 => "over 99 %".to_owned(),
        p if p > 0.0 && p < 1.0 => "under 1 %".to_owned(),
        p => format!("{p:.0} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_utc_and_stays_within_four_digits_of_year() {
        assert_eq!(time(1_795_998_681), "2026-11-30 00:31:21");
        assert_eq!(time(-1), "1970-01-01 00:00:00");
        assert_eq!(time(i64::MAX), "9999-12-30 22:00:00");
    }

    #[test]
    fn a_span_has_its_two_largest_units() {
        let spans = [0.0, 2.5, 59.0, 60.0, 3_725.0, 12_000.0, 90_000.0, f64::NAN].map(span);
        assert_eq!(spans, ["0 s", "2.5 s", "59 s", "1 min", "1 h 2 min", "3 h 20 min", "1 d 1 h", "unknown"]);
    }

    #[test]
    fn counts_are_grouped_and_bytes_have_the_unit_that_fits() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(
            [0, 1023, 1024, 1_048_576, u64::MAX].map(bytes),
            ["0 B", "1023 B", "1.0 KiB", "1.0 MiB", "16.0 EiB"]
        );
    }

    #[test]
    fn a_percentage_is_whole_only_where_all_or_nothing_is() {
        assert_eq!(
            [0.0, 0.001, 0.874, 0.9999, 1.0].map(percent),
            ["0 %", "under 1 %", "87 %", "over 99 %", "100 %"]
        );
    }
}
