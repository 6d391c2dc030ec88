//! The machine and the software of a run.

use std::fs;
use std::thread::available_parallelism;

use serde_json::{Value, json};

use crate::run::{BUDGET, Run};

pub fn facts(run: &Run) -> Value {
    let threads = available_parallelism().map_or(1, usize::from);
    json!({
        "processor": format!("{}, {threads} hardware threads", processor()),
        "system": format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        "kernels": b2nd::kernels::backend(),
        "zstd": if cfg!(feature = "zstd-safe") { "libzstd" } else { "pure Rust" },
        "compiler": option_env!("B2ND_RUSTC").unwrap_or("rustc, version unknown"),
        "reference": format!("C-Blosc2 {}", run.reference.version()),
        "method": format!("1 thread each (slices: 2 as well), alternating for {} ms per case, medians, bytes compared first", BUDGET.as_millis()),
    })
}

fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let fact = |name: &str| {
        let line = text.lines().find(|line| line.split(':').next().is_some_and(|key| key.trim() == name))?;
        Some(line.split(':').nth(1)?.trim().to_owned())
    };
    let Some(model) = fact("model name") else { return "unknown".into() };
    let number = |name| fact(name).unwrap_or_default();
    format!("{model} (family {}, model {})", number("cpu family"), number("model"))
}
