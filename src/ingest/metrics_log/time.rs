//! Seconds since the epoch as a date.

/// RFC 3339 in UTC.
pub(super) fn rfc3339(at: i64) -> String {
    let (days, secs) = (at.div_euclid(86_400), at.rem_euclid(86_400));
    // Days of the proleptic Gregorian calendar in eras of 400 years, which begin in March.
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day = days.rem_euclid(146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (year * 365 + year / 4 - year / 100);
    let month = (day * 5 + 2) / 153;
    let date = day - (month * 153 + 2) / 5 + 1;
    let (year, month) = (era * 400 + year + month / 10, (month + 2) % 12 + 1);
    let (hours, minutes) = (secs / 3_600, secs / 60 % 60);
    format!("{year:04}-{month:02}-{date:02}T{hours:02}:{minutes:02}:{:02}Z", secs % 60)
}

#[cfg(test)]
mod tests {
    use super::rfc3339;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (at, date) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_764_460_800, "2025-11-30T00:00:00Z"),
            (1_795_998_942, "2026-11-30T00:35:42Z"),
            (4_107_542_399, "2100-02-28T23:59:59Z"),
            (-1, "1969-12-31T23:59:59Z"),
        ] {
            assert_eq!(rfc3339(at), date);
        }
    }
}
