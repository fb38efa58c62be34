//! The memory a piece of work takes: the process's peak of resident memory, which Linux counts and can begin anew.

use std::fs;

/// A peak that is being counted.
#[derive(Debug)]
pub struct Peak {
    counted: bool,
}

impl Peak {
    /// Begins to count anew; what is in memory already counts too.
    pub fn from_here() -> Self {
        // 5 stands for the peak in proc_pid_clear_refs(5).
        Self { counted: fs::write("/proc/self/clear_refs", "5").is_ok() }
    }

    /// The peak since, in MiB; none where the system does not count it.
    pub fn mib(&self) -> Option<f64> {
        let status = fs::read_to_string("/proc/self/status").ok().filter(|_| self.counted)?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        let kib: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(kib / 1024.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_peak_holds_what_was_used_and_forgets_it_when_it_begins_anew() {
        let peak = Peak::from_here();
        let Some(before) = peak.mib() else { return };
        let block = std::hint::black_box(vec![1_u8; 64 << 20]);
        drop(block);
        let used = peak.mib().expect("it was counted a moment ago");
        assert!(used >= before + 60.0, "{before} and then {used} MiB");
        let anew = Peak::from_here().mib().expect("it was counted a moment ago");
        assert!(anew < used - 30.0, "{used} and anew {anew} MiB");
    }
}
