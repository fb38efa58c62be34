//! Which metrics matter, and what their names and values say.

use super::line::{NAME_CHARS, number};

/// A metric that is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Metric {
    /// Tuples executed, by source and stream.
    Executed,
    /// Tuples emitted, by stream.
    Emitted,
    /// Tuples acked: a bolt's by source and stream, a spout's by stream.
    Acked,
    /// Execute latency in ms, by source and stream.
    Latency,
    /// Load of the executor over ten minutes, `__capacity`.
    Capacity,
    /// Something only spouts have.
    OfSpouts,
    /// Something every task has at every V2 tick, and nothing else prints.
    Pulse,
}

/// A metric that is kept, with what its name says after the prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Named<'a> {
    pub(super) metric: Metric,
    /// Source and stream; `None` in dialect V1, where the value is a map by them.
    pub(super) of: Option<&'a [u8]>,
    /// The name fills its column, so it may have been longer.
    pub(super) cut: bool,
}

/// What a name stands for; none for the many that do not matter here.
pub(super) fn named(name: &[u8]) -> Option<Named<'_>> {
    const PULSE: &[u8] = b"receive-queue-populatio";
    if name == PULSE {
        return Some(Named { metric: Metric::Pulse, of: None, cut: true });
    }
    let rest = name.strip_prefix(b"__")?;
    let (metric, rest) = match rest.first()? {
        b'e' => first(
            rest,
            &[
                (b"execute-count", Metric::Executed),
                (b"emit-count", Metric::Emitted),
                (b"execute-latency", Metric::Latency),
            ],
        )?,
        b'a' => first(rest, &[(b"ack-count", Metric::Acked)])?,
        b'c' => first(rest, &[(b"capacity", Metric::Capacity), (b"complete-latency", Metric::OfSpouts)])?,
        b's' => first(rest, &[(b"skipped-", Metric::OfSpouts)])?,
        _ => return None,
    };
    let of = match (metric, rest) {
        (Metric::OfSpouts, _) | (_, []) => None,
        (Metric::Capacity, _) => return None,
        (_, [b'-', of @ ..]) => Some(of),
        _ => return None,
    };
    Some(Named { metric, of, cut: name.len() >= NAME_CHARS })
}

fn first<'a>(text: &'a [u8], prefixes: &[(&[u8], Metric)]) -> Option<(Metric, &'a [u8])> {
    prefixes.iter().find_map(|(prefix, metric)| Some((*metric, text.strip_prefix(*prefix)?)))
}

/// What a worker says of itself, under task -1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OfWorker {
    /// Seconds since its JVM started.
    Uptime,
    /// CPU time of its threads over the time since the last tick: cores.
    Cpu,
}

/// What a name stands for under task -1.
pub(super) fn named_of_worker(name: &[u8]) -> Option<OfWorker> {
    match name {
        b"uptimeSecs" => Some(OfWorker::Uptime),
        b"workerCpuUsage" => Some(OfWorker::Cpu),
        _ => None,
    }
}

/// A counter: a whole number. A gauge of the same cut name, the counter's `.m1_rate`, always has a point.
pub(super) fn counter(value: &[u8]) -> Option<i64> {
    number(value)
}

/// A figure as Java prints doubles; `NaN` and `Infinity` are none.
pub(super) fn figure(value: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(value).ok()?;
    text.parse().ok().filter(|figure: &f64| figure.is_finite())
}

/// Entries of a map as Java prints it, `{a=1, b=2}`; none where it is not one. Keys may hold `=`; values are figures.
pub(super) fn map(value: &[u8]) -> Option<impl Iterator<Item = (&[u8], f64)>> {
    let inner = value.strip_prefix(b"{")?.strip_suffix(b"}")?;
    let entries = inner.split(|byte| *byte == b',');
    Some(entries.filter_map(|entry| {
        let entry = entry.strip_prefix(b" ").unwrap_or(entry);
        let equals = memchr::memrchr(b'=', entry)?;
        Some((&entry[..equals], figure(&entry[equals + 1..])?))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_both_dialects_say_what_they_count() {
        let of = |name: &'static str| named(name.as_bytes()).map(|n| (n.metric, n.of, n.cut));
        assert_eq!(of("__execute-count-split:d"), Some((Metric::Executed, Some(&b"split:d"[..]), true)));
        assert_eq!(of("__emit-count-default"), Some((Metric::Emitted, Some(&b"default"[..]), false)));
        assert_eq!(of("__execute-count"), Some((Metric::Executed, None, false)));
        assert_eq!(of("__execute-latency-split"), Some((Metric::Latency, Some(&b"split"[..]), true)));
        assert_eq!(of("__capacity"), Some((Metric::Capacity, None, false)));
        assert_eq!(of("__skipped-backpressure-"), Some((Metric::OfSpouts, None, true)));
        assert_eq!(of("receive-queue-populatio"), Some((Metric::Pulse, None, true)));
        for other in ["__ack-counter", "__transfer-count-defaul", "uptimeSecs", "__", "", "__capacity-x"] {
            assert_eq!(of(other), None, "{other}");
        }
    }

    #[test]
    fn figures_are_java_s_and_missing_is_missing() {
        assert_eq!(figure(b"9.1552734E-5"), Some(9.155_273_4e-5));
        assert_eq!(figure(b"1.2345678E9"), Some(1_234_567_800.0));
        assert_eq!((figure(b"NaN"), figure(b"Infinity"), figure(b"")), (None, None, None));
        assert_eq!(counter(b"138.58333333333334"), None);
    }

    #[test]
    fn maps_are_unquoted_and_unordered() {
        let entries: Vec<_> = map(b"{split:default=960, split:errors=20.5, bad=x}").unwrap().collect();
        assert_eq!(entries, [(&b"split:default"[..], 960.0), (&b"split:errors"[..], 20.5)]);
        assert_eq!(map(b"{}").unwrap().count(), 0);
        assert!(map(b"960").is_none());
    }
}
