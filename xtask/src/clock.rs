//! Wall time and processor time of steps.

use std::fs;
use std::time::{Duration, Instant};

/// Time since a start.
pub struct Clock {
    start: Instant,
    processor: Option<Duration>,
}

impl Clock {
    pub fn start() -> Self {
        Self { start: Instant::now(), processor: processor() }
    }

    pub fn wall(&self) -> Duration {
        self.start.elapsed()
    }

    /// Processor time of all finished child processes. Linux only.
    pub fn processor(&self) -> Option<Duration> {
        processor()?.checked_sub(self.processor?)
    }
}

/// Processor time of all finished descendants of this process.
fn processor() -> Option<Duration> {
    ticks(&fs::read_to_string("/proc/self/stat").ok()?).map(|ticks| Duration::from_millis(10 * ticks))
}

/// The fields `cutime` and `cstime` of proc_pid_stat(5), in hundredths of a second. The name before them, in
/// parentheses, may contain spaces.
fn ticks(stat: &str) -> Option<u64> {
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(13);
    Some(fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?)
}

#[cfg(test)]
mod tests {
    use super::ticks;

    #[test]
    fn the_system_tells_the_time_of_children() {
        let stat = "71 (a b) c) S 1 71 71 0 -1 4194304 2075 9 0 0 3 4 150 25 20 0 1 0 69 5000 120";
        assert_eq!(ticks(stat), Some(175));
        assert_eq!(ticks("71 (a) S 1"), None);
    }
}
