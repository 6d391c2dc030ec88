//! Queries on four workers: processes of the example, of which some are killed.
#![cfg(all(feature = "proto", target_os = "linux"))]

mod common;

use common::{folder, scripted, write_table};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// The example, which cargo builds for tests.
fn program() -> Command {
    let test = std::env::current_exe().unwrap();
    let folder = test.parent().and_then(|deps| deps.parent()).unwrap();
    Command::new(folder.join("examples").join("b2nd-sql"))
}

/// A worker, which is killed with this value.
struct Worker {
    process: Child,
    url: String,
}

impl Worker {
    fn start() -> Self {
        let mut serve = program();
        serve.args(["--serve", "127.0.0.1:0"]).stdout(Stdio::piped());
        let mut process = serve.spawn().expect("the example: cargo builds it with all tests");
        let mut url = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut url).unwrap();
        Self { process, url: url.trim().into() }
    }

    /// Kills the process, which can do nothing about it.
    fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// The ticks of processor time that the process has had.
    fn ticks(&self) -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.process.id())).unwrap();
        let (_, fields) = stat.rsplit_once(')').unwrap();
        let times = fields.split_whitespace().skip(11).take(2);
        times.map(|time| time.parse::<u64>().unwrap()).sum()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        _ = self.process.kill();
        _ = self.process.wait();
    }
}

fn urls(workers: &[Worker]) -> String {
    workers.iter().map(|worker| worker.url.as_str()).collect::<Vec<_>>().join(",")
}

fn query(workers: &[Worker], text: &str) -> Command {
    let mut query = program();
    query.args(["--workers", &urls(workers), text]).stdout(Stdio::piped()).stderr(Stdio::piped());
    query
}

/// The rows that a query printed, and what it said.
fn rows(output: &Output) -> (Vec<Vec<Value>>, String) {
    let [printed, said] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(output.status.success(), "{said}");
    let cells = |line: &str| {
        let cells = line.trim_matches('|').split('|').map(|cell| serde_json::from_str(cell.trim()));
        cells.collect::<Result<Vec<_>, _>>().ok()
    };
    (printed.lines().filter(|line| line.starts_with('|')).filter_map(cells).collect(), said.into())
}

#[test]
fn a_query_runs_again_without_workers_that_do_not_answer() {
    let path = folder("workers").join("t.b2z");
    write_table(&path, 0..400_000);
    let select =
        format!("SELECT n, count(*), sum(id) FROM '{}/people' GROUP BY n ORDER BY n", path.display());
    let alone = rows(&program().arg(&select).output().unwrap()).0;
    assert_eq!(alone.len(), 1000);
    let mut workers: Vec<_> = (0..4).map(|_| Worker::start()).collect();
    let four = query(&workers, &select).output().unwrap();
    assert_eq!(rows(&four), (alone.clone(), String::new()));
    let shown = program().args(["--explain", "--workers", &urls(&workers), &select]).output().unwrap();
    let shown = String::from_utf8_lossy(&shown.stdout);
    assert!(shown.contains("TableScan") && shown.contains("Stage"), "{shown}");
    workers[2].kill();
    let (three, said) = rows(&query(&workers, &select).output().unwrap());
    assert!(said.contains("3 of 4 workers are left"), "{said}");
    assert_eq!(three, alone);
    // What fails on workers that answer does not run again.
    let wrong = query(&workers[..2], "SELECT 1 FROM 'none.b2z'").output().unwrap();
    let said = String::from_utf8_lossy(&wrong.stderr);
    assert!(!wrong.status.success() && said.contains("none.b2z") && !said.contains("are left"), "{said}");
    workers.iter_mut().for_each(Worker::kill);
    assert!(!query(&workers, &select).output().unwrap().status.success());
}

#[test]
#[ignore = "takes a Python with blosc2: B2ND_PYTHON=… cargo test -- --ignored"]
fn a_query_survives_a_worker_that_is_killed_while_it_runs() {
    /// Ticks after which a worker is reading: more than it takes to answer that it is there.
    const BUSY: u64 = 50;
    let folder: PathBuf = scripted("workers.py", "killed");
    let expected = std::fs::read_to_string(folder.join("groups.json")).unwrap();
    let expected: Vec<Vec<Value>> = serde_json::from_str(&expected).unwrap();
    let select = format!(
        "SELECT n, count(*), sum(id), min(x), max(x) FROM '{}/*.b2z' WHERE x > 0.5 GROUP BY n ORDER BY n",
        folder.display()
    );
    let mut workers: Vec<_> = (0..4).map(|_| Worker::start()).collect();
    for left in [3, 2] {
        let idle = workers[left].ticks();
        let begin = Instant::now();
        let running = query(&workers[..=left], &select).spawn().unwrap();
        while workers[left].ticks() < idle + BUSY {
            assert!(begin.elapsed() < Duration::from_secs(300), "the worker does nothing");
            std::thread::sleep(Duration::from_millis(2));
        }
        workers[left].kill();
        let killed = begin.elapsed();
        let (found, said) = rows(&running.wait_with_output().unwrap());
        println!("killed after {killed:.1?}, rows after {:.1?}: {said}", begin.elapsed());
        assert!(said.contains(&format!("{left} of {} workers are left", left + 1)), "{said}");
        assert_eq!(found.len(), 1000);
        assert_eq!(found, expected);
    }
    std::fs::remove_dir_all(folder).unwrap();
}
