//! What only the operating system can do for a thread: low priority, and its CPU time.

use std::time::Duration;

use rustix::process::setpriority_process;
use rustix::thread::gettid;
use rustix::time::{ClockId, clock_gettime};

/// The lowest priority there is: what runs beside the served path takes only what that leaves.
const NICE: i32 = 19;

/// Puts the calling thread behind all others. Where the system does not allow it, it keeps its priority.
pub(super) fn step_back() {
    let _kept = setpriority_process(Some(gettid()), NICE);
}

/// The CPU time that the calling thread has used.
pub(super) fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}
