//! A writer of tables that is killed before or after any system call leaves the old store or the new one.
//!
//! Another process runs each script under ptrace and stops at its system calls. What is on disk then is what a kill would leave.
#![cfg(all(
    target_os = "linux",
    feature = "std",
    feature = "store",
    feature = "write",
    feature = "filters",
    feature = "lz4",
    feature = "zstd"
))]

mod common;
#[path = "common/random.rs"]
mod random;

extern crate alloc;

use alloc::collections::BTreeMap;
use b2nd::array::Dtype;
use b2nd::sink::{StoreEditor, TableEditor, TableParams, TableWriter};
use b2nd::source::{File, ReadError};
use b2nd::store::{self, StoreKind};
use b2nd::table::{Cells, ColumnKind, ColumnSpec, Data, Nulls, Table};
use b2nd::{DParams, ErrorKind};
use common::goldens::{golden, listed};
use core::iter;
use core::ops::Range;
use core::sync::atomic::{AtomicU64, Ordering};
use nix::libc;
use nix::sys::ptrace;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use random::Random;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::{env, fs, thread};

/// Scripts that run by default: one for each kind of store, and one that creates a directory. `B2ND_SCRIPTS=40` runs as many.
const SCRIPTS: u64 = 4;

/// Scripts at a time.
const WORKERS: u64 = 4;

/// System calls that change no file, or only create an empty one, which is there when the next one is called.
const READING: [i64; 19] = [
    libc::SYS_read,
    libc::SYS_openat,
    libc::SYS_newfstatat,
    libc::SYS_readlinkat,
    libc::SYS_pread64,
    libc::SYS_lseek,
    libc::SYS_close,
    libc::SYS_fstat,
    libc::SYS_statx,
    libc::SYS_getdents64,
    libc::SYS_mmap,
    libc::SYS_munmap,
    libc::SYS_mprotect,
    libc::SYS_madvise,
    libc::SYS_brk,
    libc::SYS_futex,
    libc::SYS_flock,
    libc::SYS_fsync,
    libc::SYS_getrandom,
];

/// The changes of a store: they follow from the number alone.
struct Script {
    number: u64,
    extension: &'static str,
    key: &'static str,
    /// A table whose columns and rows it takes.
    rows: PathBuf,
}

impl Script {
    fn new(number: u64) -> Self {
        let (extension, key) =
            [("b2z", "/group/t"), ("b2d", "/t"), ("b2e", ""), ("b2d", ""), ("b2z", "")][number as usize % 5];
        let tables: Vec<PathBuf> =
            listed(&golden("tables/tables.jsonl")).into_iter().map(|(path, _)| path).collect();
        let rows = tables[number as usize % tables.len()].clone();
        Self { number, extension, key, rows }
    }

    fn path(&self, folder: &Path) -> PathBuf {
        folder.join("s").with_extension(self.extension)
    }

    /// Every fourth script creates its store.
    fn is_new(&self) -> bool {
        self.number % 4 == 3
    }

    /// The store that it begins with.
    fn prepare(&self, path: &Path) {
        if !self.is_new() {
            let mut store = StoreEditor::create(path, StoreKind::Tree).expect("a store");
            self.create(&mut store, self.key);
            store.commit().expect("a commit");
        }
    }

    /// Makes commits, and says so after each.
    fn run(&self, path: &Path, committed: &mut dyn FnMut()) {
        let mut random = Random(self.number * 7919 + 1);
        let mut store = if self.is_new() {
            let mut store = StoreEditor::create(path, StoreKind::Tree).expect("a store");
            self.create(&mut store, self.key);
            store.commit().expect("a commit");
            committed();
            store
        } else {
            open(path).expect("a store")
        };
        for turn in 0..1 + random.below(2) {
            if !self.key.is_empty() && random.below(4) == 0 {
                self.create(&mut store, &format!("/other{turn}"));
            } else {
                self.edit(&mut store, &mut random);
            }
            let done = if random.below(5) == 0 { store.compact() } else { store.commit() };
            done.expect("a commit");
            committed();
        }
    }

    fn create(&self, store: &mut StoreEditor, key: &str) {
        let source = store::open(&self.rows).expect("a store");
        let table = Table::open(&source, "").expect("a table");
        let mut params = TableParams::default();
        params.rows = Some(table.len());
        let mut writer = TableWriter::create(store, key, table.columns(), &params).expect("a table");
        writer.append(&cells(table.columns(), &table, 0..table.len())).expect("rows");
        writer.finish().expect("a table");
    }

    fn edit(&self, store: &mut StoreEditor, random: &mut Random) {
        let source = store::open(&self.rows).expect("a store");
        let source = Table::open(&source, "").expect("a table");
        let mut table = TableEditor::open(store, self.key).expect("a table");
        for _ in 0..1 + random.below(4) {
            EDITS[random.index(EDITS.len())](&mut table, &source, random);
        }
        table.finish().expect("a change");
    }
}

type Edit = fn(&mut TableEditor<'_>, &Table<'_, File>, &mut Random);

const EDITS: [Edit; 6] = [
    |table, source, random| {
        let rows = 0..random.below(source.len() + 1);
        let cells = cells(table.columns(), source, rows);
        table.append(&cells).expect("rows");
    },
    |table, _, random| {
        let rows: Vec<u64> = (0..table.len()).filter(|_| random.below(3) == 0).collect();
        table.delete(&rows).expect("rows");
    },
    |table, source, random| {
        let spec = table.columns()[random.index(table.columns().len())].clone();
        let rows = 0..table.len().min(source.len());
        match table.set(&spec.name, 0, &of_source(&spec, source, rows)) {
            // Texts of any length cannot be set.
            Err(ReadError::Blosc(error)) => {
                assert!(matches!(error.kind(), ErrorKind::Unsupported(_)), "{error}")
            }
            set => set.expect("cells"),
        }
    },
    |table, _, random| {
        if table.columns().len() > 1 {
            let name = table.columns()[random.index(table.columns().len())].name.clone();
            table.drop_column(&name).expect("a column");
        }
    },
    |table, _, random| {
        let name = table.columns()[random.index(table.columns().len())].name.clone();
        table.rename_column(&name, &[&name, RENAMED].concat()).expect("a name");
    },
    |table, source, random| {
        let kind = [
            ColumnKind::Number(Dtype::of::<i32>()),
            ColumnKind::Text,
            ColumnKind::Dictionary { ordered: false },
        ];
        let name = format!("{ADDED}{}", random.below(1 << 20));
        // Where all rows were deleted, no column is added.
        if table.is_empty() {
            return;
        }
        let spec = ColumnSpec::new(&name, &kind[random.index(3)], &Nulls::None).expect("a column");
        let cells = of_source(&spec, source, 0..table.len());
        let mut columns = table.add_columns(&[spec]).expect("a column");
        columns.append(&[cells]).expect("cells");
        columns.finish().expect("a column");
    },
];

/// The end of a name that a column got.
const RENAMED: &str = "_renamed";
/// The start of the name of a column that the source has not.
const ADDED: &str = "added";

fn cells(columns: &[ColumnSpec], source: &Table<'_, File>, rows: Range<u64>) -> Vec<Cells> {
    columns.iter().map(|spec| of_source(spec, source, rows.clone())).collect()
}

/// Cells for a column that the table has.
fn of_source(spec: &ColumnSpec, source: &Table<'_, File>, rows: Range<u64>) -> Cells {
    let data = match &*spec.kind {
        _ if !spec.name.starts_with(ADDED) => {
            let column = source.column(spec.name.split(RENAMED).next().expect("a name")).expect("a column");
            return column.cells(rows).expect("cells");
        }
        "int32" => {
            let dtype = Dtype::of::<i32>();
            let items = dtype.encode(&rows.map(|row| row as i32).collect::<Vec<_>>()).expect("integers");
            Data::Items { dtype, items }
        }
        _ => Data::Texts(rows.map(|row| format!("text {}", row % 5)).collect()),
    };
    Cells { data, valid: None }
}

fn open(path: &Path) -> Result<StoreEditor, ReadError<std::io::Error>> {
    StoreEditor::open(path, DParams::default())
}

/// The columns and cells of all tables, by their keys; `None` without a store.
type State = Option<BTreeMap<String, String>>;

/// Reads all tables, after all data is verified.
fn state(path: &Path) -> State {
    let store = match store::open(path) {
        // There may be a directory, in which nothing is that a reader could find.
        Err(ReadError::Source(error)) if error.kind() == std::io::ErrorKind::NotFound => return None,
        store => store.expect("a store"),
    };
    for key in store.keys() {
        let reader = store.get(key).expect("a member");
        reader.verify_each(|_, chunk| _ = chunk.expect("a chunk")).expect("an index");
    }
    let table = |group: &str| {
        let table = Table::open(&store, group).expect("a table");
        table.indexes().expect("indexes");
        let column = |spec: &ColumnSpec| {
            let cells = table.column(&spec.name).expect("a column").cells(0..table.len()).expect("cells");
            format!("{} {cells:?}", spec.name)
        };
        (group.into(), table.columns().iter().map(column).collect())
    };
    Some(Table::groups(&store).map(table).collect())
}

/// The states that the store has one after the other.
fn states(script: &Script) -> Vec<State> {
    let folder = Folder::new(&format!("states-{}", script.number));
    let path = script.path(&folder.0);
    script.prepare(&path);
    let mut states = vec![state(&path)];
    script.run(&path, &mut || states.push(state(&path)));
    // Some changes, such as that of no row, change nothing.
    states.dedup();
    states
}

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = env::temp_dir().join(format!("b2nd-kills-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The files of a folder with their content; directories have none.
type Files = BTreeMap<PathBuf, Option<Vec<u8>>>;

fn files(folder: &Path) -> Files {
    let mut files = Files::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(inner).expect("a folder") {
            let path = entry.expect("an entry").path();
            let content = path.is_file().then(|| fs::read(&path).expect("a file"));
            files.insert(path.strip_prefix(folder).expect("a path in it").into(), content);
            if path.is_dir() {
                folders.push(path);
            }
        }
    }
    files
}

fn put(files: &Files, folder: &Path) {
    for (name, content) in files {
        let path = folder.join(name);
        match content {
            Some(content) => fs::write(path, content),
            None => fs::create_dir(path),
        }
        .expect("a file");
    }
}

/// Which of the states the store has after a kill, which is none before `before`. The next writer goes on from there, and then nothing
/// else is left.
fn must_be_whole(script: &Script, folder: &Path, states: &[State], before: usize) -> usize {
    let path = script.path(folder);
    let found = state(&path);
    let at = states[before..].iter().position(|state| *state == found).map(|at| before + at);
    let at = at.unwrap_or_else(|| panic!("script {}: {found:?} is none of {states:?}", script.number));
    let mut next = if found.is_some() {
        let mut next = open(&path).expect("a store");
        script.edit(&mut next, &mut Random(script.number + 1));
        next
    } else {
        let mut next = StoreEditor::create(&path, StoreKind::Tree).expect("a store");
        script.create(&mut next, script.key);
        next
    };
    next.commit().expect("a commit");
    drop(next);
    assert!(state(&path).is_some());
    let is_left = |name: &&PathBuf| !name.starts_with(path.file_name().expect("a name")) || is_hidden(name);
    assert_eq!(files(folder).keys().find(is_left), None, "script {}", script.number);
    at
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with('.'))
}

/// A process that waits before each system call of a script, and after it.
struct Stopping {
    process: Child,
    /// Open as long as the process may write.
    _output: BufReader<ChildStdout>,
    thread: Pid,
}

impl Stopping {
    fn new(script: &Script, path: &Path) -> Self {
        let mut process = Command::new(env::current_exe().expect("a program"))
            .args(["--exact", "runs_a_script", "--ignored", "--nocapture"])
            .env("B2ND_SCRIPT", script.number.to_string())
            .env("B2ND_PATH", path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a process");
        let mut output = BufReader::new(process.stdout.take().expect("a pipe"));
        let mut lines = output.by_ref().lines().map(|line| line.expect("a line"));
        let thread = lines.find_map(|line| line.strip_prefix("thread ")?.parse().ok());
        let thread = Pid::from_raw(thread.expect("a thread"));
        ptrace::seize(thread, ptrace::Options::PTRACE_O_TRACESYSGOOD).expect("a thread to trace");
        ptrace::interrupt(thread).expect("a stop");
        waitpid(thread, Some(WaitPidFlag::__WALL)).expect("a stop");
        process.stdin.take().expect("a pipe").write_all(b"go\n").expect("a line");
        Self { process, _output: output, thread }
    }

    /// Goes on to the next step. False at the end of the script.
    fn step(&mut self) -> bool {
        loop {
            ptrace::syscall(self.thread, None).expect("a stopped thread");
            match waitpid(self.thread, Some(WaitPidFlag::__WALL)).expect("a stop") {
                WaitStatus::PtraceSyscall(_) if self.is_reading() => {}
                WaitStatus::PtraceSyscall(_) => return true,
                WaitStatus::Exited(..) => {
                    assert!(self.process.wait().expect("its end").success());
                    return false;
                }
                _ => {}
            }
        }
    }

    fn is_reading(&self) -> bool {
        let call = fs::read_to_string(format!("/proc/{}/syscall", self.thread)).expect("a system call");
        let number = call.split(' ').next().and_then(|number| number.parse().ok());
        number.is_some_and(|number| READING.contains(&number))
    }

    fn kill(mut self) {
        self.process.kill().expect("a process");
        waitpid(self.thread, Some(WaitPidFlag::__WALL)).expect("its end");
        self.process.wait().expect("its end");
    }
}

/// Run, stopped and killed by the test below.
#[test]
#[ignore = "waits to be traced"]
fn runs_a_script() {
    let script = Script::new(env::var("B2ND_SCRIPT").expect("a script").parse().expect("a number"));
    let path = PathBuf::from(env::var_os("B2ND_PATH").expect("a path"));
    let number = fs::read_link("/proc/thread-self").expect("a thread");
    println!("\nthread {}", number.file_name().expect("a number").display());
    std::io::stdin().read_line(&mut String::new()).expect("a line");
    script.run(&path, &mut || {});
}

#[test]
fn a_killed_writer_of_tables_leaves_the_old_store_or_the_new_one() {
    let scripts: u64 = env::var("B2ND_SCRIPTS").map_or(SCRIPTS, |count| count.parse().expect("a number"));
    let (next, stops, refusals) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    let run = || {
        for number in iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed)).take_while(|&n| n < scripts)
        {
            let script = Script::new(number);
            let states = states(&script);
            let seen = stop_at_each_step(&script, &states);
            stops.fetch_add(seen.stops, Ordering::Relaxed);
            refusals.fetch_add(seen.refusals, Ordering::Relaxed);
            kill_at(Random(number + 1).below(seen.steps), &script, &states);
        }
    };
    // Most of the time, either a script or who looks at it waits for the other one.
    thread::scope(|scope| (0..WORKERS).for_each(|_| _ = scope.spawn(run)));
    let [stops, refusals] = [stops, refusals].map(AtomicU64::into_inner);
    println!("{scripts} scripts, {stops} states on disk, {refusals} second writers refused");
    assert!(stops > 10 * scripts && refusals > scripts);
}

#[derive(Default)]
struct Seen {
    steps: u64,
    /// Steps after which something else is on disk.
    stops: u64,
    /// Second writers that were refused.
    refusals: u64,
}

/// Looks at a copy of each state on disk.
fn stop_at_each_step(script: &Script, states: &[State]) -> Seen {
    let folder = Folder::new(&format!("stops-{}", script.number));
    let path = script.path(&folder.0);
    script.prepare(&path);
    let mut process = Stopping::new(script, &path);
    let (mut last, mut at) = (files(&folder.0), 0);
    let mut seen = Seen::default();
    while process.step() {
        seen.steps += 1;
        let now = files(&folder.0);
        if now == last {
            continue;
        }
        seen.stops += 1;
        let copy = Folder::new(&format!("copy-{}", script.number));
        put(&now, &copy.0);
        let found = must_be_whole(script, &copy.0, states, at);
        assert!(
            found == at || found == at + 1,
            "script {number}: {at}, then {found}",
            number = script.number
        );
        (last, at) = (now, found);
        seen.refusals += u64::from(is_second_writer_refused(&path));
    }
    assert_eq!(must_be_whole(script, &folder.0, states, at), states.len() - 1);
    seen
}

fn is_second_writer_refused(path: &Path) -> bool {
    matches!(open(path), Err(ReadError::Source(error)) if error.kind() == std::io::ErrorKind::WouldBlock)
}

fn kill_at(step: u64, script: &Script, states: &[State]) {
    let folder = Folder::new(&format!("killed-{}", script.number));
    let path = script.path(&folder.0);
    script.prepare(&path);
    let mut process = Stopping::new(script, &path);
    assert!((0..=step).all(|_| process.step()));
    process.kill();
    must_be_whole(script, &folder.0, states, 0);
}
