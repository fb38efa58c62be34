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
