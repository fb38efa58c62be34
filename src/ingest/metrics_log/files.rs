//! The files of a log in the order of time, whatever order they are named in.
//!
//! A worker's file is rolled to `.1.gz`, `.2.gz` and so on, and the higher number is the newer one (log4j2's default
//! file index); consumers run in several workers, each with files of its own. So the order is that of the time stamps
//! inside, and files that overlap are read side by side.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::line;
use super::lines::{Lines, Piece};
use super::seen::{Place, Seen};
use crate::ingest::{Fault, RemarkCode, Remarks, quoted};

/// Records at the start of a file that say what its clock reads.
const PROBED: usize = 200;
/// Pieces that are looked at for the first record.
const LOOKED_AT: usize = 20_000;
/// Seconds that a time stamp may be off those around it: hours for time zones and changes of the clock, no more.
const ASTRAY: i64 = 86_400;

/// Where a file's bytes are.
#[derive(Debug, Clone)]
pub(super) enum Origin {
    File(PathBuf),
    Bytes(Arc<[u8]>),
}

/// A file of the log.
#[derive(Debug, Clone)]
pub(super) struct Member {
    pub(super) name: String,
    pub(super) origin: Origin,
    /// Topology by position.
    pub(super) topology: usize,
    /// First time stamp.
    first: i64,
    /// Usual difference of a record's date from its time stamp.
    lag: i64,
}

impl Member {
    /// Looks at the start of a file; none where no record is found.
    pub(super) fn probe(name: String, origin: Origin, topology: usize) -> Result<Option<Self>, Fault> {
        let unreadable = |error: io::Error| Fault::unreadable(&name, &error);
        let mut lines = origin.open().map_err(unreadable)?;
        let (mut found, mut cluster) = (Vec::new(), false);
        let mut looked_at = 0;
        while let Some(piece) = lines.next().map_err(unreadable)?
            && found.len() < PROBED
            && looked_at < LOOKED_AT
        {
            looked_at += 1;
            let Piece::Line(bytes) = piece else { continue };
            let Some(message) = line::message(bytes) else { continue };
            match line::header(message) {
                Some(header) => found.push((line::lag(bytes, header.at), header.at)),
                None => cluster |= line::of_the_cluster(message),
            }
        }
        if found.is_empty() && cluster {
            return Err(Fault::new(
                name,
                "a log of LoggingClusterMetricsConsumer: figures of supervisors, without executors",
                "give worker.log.metrics of a topology with topology.metrics.consumer.register: \
                 org.apache.storm.metric.LoggingMetricsConsumer",
            ));
        }
        let mut lags: Vec<i64> = found.iter().map(|(lag, _)| *lag).collect();
        if lags.is_empty() {
            return Ok(None);
        }
        let middle = lags.len() / 2;
        let lag = *lags.select_nth_unstable(middle).1;
        let believed = found.iter().filter(|(of, _)| (of - lag).abs() <= ASTRAY).map(|(_, at)| *at);
        let first = believed.min().expect("the median is believed");
        Ok(Some(Self { name, origin, topology, first, lag }))
    }
}

impl Origin {
    fn open(&self) -> io::Result<Lines> {
        match self {
            Self::File(path) => Lines::open(path),
            Self::Bytes(bytes) => Lines::of_bytes(bytes.clone()),
        }
    }
}

/// Topology id in a path of Storm's: `workers-artifacts/<topology-id>/<port>/worker.log.metrics`.
pub(super) fn topology_of(path: &Path) -> Option<String> {
    let mut parts = path.iter().map(|part| part.to_string_lossy());
    parts.find(|part| part == "workers-artifacts")?;
    let id = parts.next()?;
    parts.next()?;
    Some(id.into_owned())
}

/// The files of a log, read side by side.
pub(super) struct Files {
    /// Not begun yet, the latest first.
    waiting: Vec<Member>,
    reading: Vec<Reader>,
}

impl Files {
    pub(super) fn new(mut members: Vec<Member>) -> Self {
        members.sort_by(|a, b| (b.first, &b.name).cmp(&(a.first, &a.name)));
        Self { waiting: members, reading: Vec::new() }
    }

    /// Reads on until a time stamp was met that `seen` did not know; false at the end.
    pub(super) fn advance(&mut self, seen: &mut Seen, remarks: &mut Remarks) -> Result<bool, Fault> {
        let before = seen.now;
        loop {
            let earliest = |reading: &[Reader]| (0..reading.len()).min_by_key(|at| reading[*at].held_at);
            let mut next = earliest(&self.reading);
            while let Some(member) = self.waiting.last()
                && next.is_none_or(|next| member.first <= self.reading[next].held_at)
            {
                let member = self.waiting.pop().expect("it was looked at");
                if let Some(reader) = Reader::begin(member, seen, remarks)? {
                    self.reading.push(reader);
                }
                next = earliest(&self.reading);
            }
            let Some(next) = next else { return Ok(false) };
            let others = (0..self.reading.len()).filter(|at| *at != next).map(|at| self.reading[at].held_at);
            let until = others.chain(self.waiting.last().map(|member| member.first)).min();
            if !self.reading[next].read(until.unwrap_or(i64::MAX), seen, remarks)? {
                self.reading.remove(next);
            }
            if seen.now > before {
                return Ok(true);
            }
        }
    }
}

/// A file being read.
struct Reader {
    lines: Lines,
    head: Head,
    /// A line that was read and belongs to a later time than was asked for.
    held: Vec<u8>,
    held_at: i64,
}

/// What the lines of one tick of one task share.
struct Head {
    member: Member,
    bytes: Vec<u8>,
    place: Option<Place>,
}

impl Reader {
    /// Opens a file and reads its first record; none where there is none.
    fn begin(member: Member, seen: &mut Seen, remarks: &mut Remarks) -> Result<Option<Self>, Fault> {
        let lines = member.origin.open().map_err(|error| Fault::unreadable(&member.name, &error))?;
        let head = Head { member, bytes: Vec::new(), place: None };
        let mut reader = Self { lines, head, held: Vec::new(), held_at: i64::MIN };
        Ok(reader.read(i64::MIN, seen, remarks)?.then_some(reader))
    }

    /// Reads up to a time stamp, and on while `seen` learns no later one; false at the end of the file.
    fn read(&mut self, until: i64, seen: &mut Seen, remarks: &mut Remarks) -> Result<bool, Fault> {
        let Self { lines, head, held, held_at } = self;
        if !held.is_empty() {
            let line = std::mem::take(held);
            head.note(&line, seen, remarks)?;
        }
        let now = seen.now;
        loop {
            let piece = lines.next().map_err(|error| Fault::unreadable(&head.member.name, &error))?;
            let line = match piece {
                Some(Piece::Line(line)) => line,
                Some(Piece::Cut) => {
                    remarks.add(RemarkCode::Cut, || format!("{}: a line ends in the middle", head.name()));
                    continue;
                }
                Some(Piece::Long) => {
                    remarks.add(RemarkCode::Unknown, || {
                        format!("{}: a line of no record's length", head.name())
                    });
                    continue;
                }
                None => {
                    if let Some(damage) = lines.damage.take() {
                        remarks.add(RemarkCode::Cut, || format!("{}: {}", head.name(), quoted(&damage)));
                    }
                    return Ok(false);
                }
            };
            let Some(message) = line::message(line) else { continue };
            if let Some((name, value)) = head.continued(message) {
                if let Some(place) = head.place {
                    seen.note(place, name, value, remarks)?;
                }
                continue;
            }
            let Some(at) = head.time(line, message, remarks) else { continue };
            if at > until || seen.now > now {
                held.extend_from_slice(line);
                *held_at = at;
                return Ok(true);
            }
            head.note(line, seen, remarks)?;
        }
    }
}

impl Head {
    fn name(&self) -> String {
        quoted(&self.member.name)
    }

    /// Name and value of a message that begins as the one before.
    fn continued<'m>(&self, message: &'m [u8]) -> Option<(&'m [u8], &'m [u8])> {
        let rest = message.strip_prefix(&self.bytes[..]).filter(|_| !self.bytes.is_empty())?;
        line::name_and_value(rest)
    }

    /// Time stamp of a record that can be believed.
    fn time(&self, line: &[u8], message: &[u8], remarks: &mut Remarks) -> Option<i64> {
        let Some(header) = line::header(message) else {
            remarks.add(RemarkCode::Unknown, || {
                format!("{}: not a metric: {}", self.name(), quoted(&String::from_utf8_lossy(line)))
            });
            return None;
        };
        let believed = (line::lag(line, header.at) - self.member.lag).abs() <= ASTRAY;
        if !believed {
            remarks.add(RemarkCode::Unbelievable, || {
                format!("{}: time stamp {} is days off those around it", self.name(), header.at)
            });
        }
        believed.then_some(header.at)
    }

    /// Notes a record whose header differs from the one before.
    fn note(&mut self, line: &[u8], seen: &mut Seen, remarks: &mut Remarks) -> Result<(), Fault> {
        let message = line::message(line).expect("it was looked at");
        let header = line::header(message).expect("it was looked at");
        self.bytes.clear();
        self.bytes.extend_from_slice(&message[..header.len]);
        self.place = seen.place(self.member.topology, &header, remarks)?;
        let Some(place) = self.place else { return Ok(()) };
        let (name, value) =
            line::name_and_value(&message[header.len..]).expect("a header has them behind it");
        seen.note(place, name, value, remarks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_topology_is_in_the_path() {
        let of = |path: &str| topology_of(Path::new(path));
        let id = Some("flights-3-1795998681".to_owned());
        assert_eq!(of("/var/storm/workers-artifacts/flights-3-1795998681/6710/worker.log.metrics"), id);
        assert_eq!(of("flights-3-1795998681/6710/worker.log.metrics"), None);
        assert_eq!(of("workers-artifacts/worker.log.metrics"), None);
    }
}
