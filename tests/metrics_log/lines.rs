//! Lines as `LoggingMetricsConsumer` prints them.

use std::fmt::Display;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

/// A log being written.
pub(crate) struct Log {
    pub(crate) text: String,
    /// Milliseconds that the writer's JVM is up.
    pub(crate) jvm_uptime: u64,
}

impl Default for Log {
    fn default() -> Self {
        Self { text: String::new(), jvm_uptime: 60_000 }
    }
}

impl Log {
    /// Seconds of the epoch of a time in the log.
    pub(crate) fn at(secs: i64) -> i64 {
        1_764_460_800 + secs
    }

    /// Prints a metric.
    pub(crate) fn line(
        &mut self,
        at: i64,
        host: &str,
        port: u16,
        (task, component): (i32, &str),
        name: &str,
        value: impl Display,
    ) {
        let (hours, minutes, secs) = (at / 3600, at / 60 % 60, at % 60);
        let date = format!("2025-11-30 {hours:02}:{minutes:02}:{secs:02},047");
        let (jvm, at) = (self.jvm_uptime, Self::at(at));
        let name: String = format!("{name:<23}").chars().take(23).collect();
        self.text.push_str(&format!(
            "{date} {jvm:<8} {at}\t{host:>15}:{port:<4}\t{task:>3}:{component:<11}\t{name}\t{value}\n"
        ));
    }
}

/// The bytes, gzipped.
pub(crate) fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}
