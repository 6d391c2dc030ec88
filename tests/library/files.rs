//! Frames on disk: one writer at a time, nothing left behind, and a readable frame whenever the process is killed.
#![cfg(all(feature = "write", feature = "std"))]

use alloc::collections::BTreeSet;
use b2nd::array::ArrayParams;
use b2nd::{ReadError, Selection};
use core::time::Duration;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs, process, thread};

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = env::temp_dir().join(format!("b2nd-files-{name}-{}", process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(&self.0)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn params(is_sparse: bool) -> ArrayParams {
    let mut params = ArrayParams::new(&[ROWS, 50], "|u1");
    (params.chunkshape, params.blockshape) = (Some(vec![4, 20]), Some(vec![2, 10]));
    params.sparse = is_sparse;
    params
}

const ROWS: u64 = 10;

fn read(path: &Path) -> Vec<u8> {
    b2nd::open(path).unwrap().get(Selection::all()).unwrap()
}

#[test]
fn what_is_not_committed_leaves_nothing() {
    for is_sparse in [false, true] {
        let folder = Folder::new(if is_sparse { "none-sparse" } else { "none" });
        let path = folder.0.join("a.b2nd");
        let editor = b2nd::create(&path, &params(is_sparse)).unwrap();
        assert!(!path.exists());
        drop(editor);
        assert_eq!(folder.names(), [""; 0]);

        let mut editor = b2nd::create(&path, &params(is_sparse)).unwrap();
        editor.fill(Selection::all(), &[3]).unwrap();
        editor.commit().unwrap();
        drop(editor);
        assert_eq!((folder.names(), read(&path)), (vec!["a.b2nd".to_owned()], vec![3; 500]));

        let mut editor = b2nd::edit(&path).unwrap();
        editor.set("1".parse::<Selection>().unwrap(), &[4; 50]).unwrap();
        editor.resize(&[3, 3]).unwrap();
        drop(editor);
        assert_eq!(read(&path), vec![3; 500]);

        // A new frame replaces the old one, of the same kind or not.
        for is_sparse in [is_sparse, !is_sparse] {
            let mut editor = b2nd::create(&path, &params(is_sparse)).unwrap();
            editor.set(Selection::all(), &[9; 500]).unwrap();
            assert_ne!(read(&path), [0; 500]);
            editor.commit().unwrap();
            drop(editor);
            assert_eq!((folder.names().len(), read(&path)), (1, vec![9; 500]));
        }
    }
}

#[test]
fn a_second_writer_is_refused() {
    for is_sparse in [false, true] {
        let folder = Folder::new(if is_sparse { "lock-sparse" } else { "lock" });
        let path = folder.0.join("a.b2nd");
        b2nd::create(&path, &params(is_sparse)).unwrap().commit().unwrap();
        let mut editor = b2nd::edit(&path).unwrap();
        let is_refused = |result: Result<_, ReadError<io::Error>>| matches!(result.map(drop), Err(ReadError::Source(error)) if error.kind() == io::ErrorKind::WouldBlock);
        assert!(is_refused(b2nd::edit(&path)) && is_refused(b2nd::create(&path, &params(is_sparse))));
        // A frame that was written anew is locked, too.
        editor.set_metalayer("name", b"\xc0").unwrap();
        editor.commit().unwrap();
        assert!(is_refused(b2nd::edit(&path)));
        assert_eq!(read(&path), [0; 500]);
        drop(editor);
        let editor = b2nd::edit(&path).unwrap();
        assert_eq!(editor.frame().metalayers()[1].content, b"\xc0");
        assert_eq!(folder.names(), ["a.b2nd"]);
    }
}

/// A process that is being started has copies of all open files for a moment.
#[test]
fn starting_processes_do_not_keep_the_lock() {
    let folder = Folder::new("fork");
    let path = folder.0.join("a.b2nd");
    b2nd::create(&path, &params(false)).unwrap().commit().unwrap();
    thread::scope(|scope| {
        let others = scope.spawn(|| {
            for _ in 0..60 {
                Command::new(env::current_exe().unwrap())
                    .arg("--version")
                    .stderr(Stdio::null())
                    .output()
                    .unwrap();
            }
        });
        while !others.is_finished() {
            drop(b2nd::edit(&path).unwrap());
        }
    });
}

#[test]
fn compaction_gives_space_back() {
    for is_sparse in [false, true] {
        let folder = Folder::new(if is_sparse { "compact-sparse" } else { "compact" });
        let path = folder.0.join("a.b2nd");
        let mut editor = b2nd::create(&path, &params(is_sparse)).unwrap();
        let noise: Vec<u8> = (0..500_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        editor.set(Selection::all(), &noise).unwrap();
        editor.commit().unwrap();
        let files = |path: &Path| if is_sparse { fs::read_dir(path).unwrap().count() } else { 0 };
        let len = |path: &Path| if is_sparse { 0 } else { fs::metadata(path).unwrap().len() };
        let (count, size) = (files(&path), len(&path));
        for value in 0..5 {
            editor.set("::2".parse::<Selection>().unwrap(), &noise[value..value + 250]).unwrap();
            editor.commit().unwrap();
        }
        assert!(len(&path) <= 3 * size, "space is used again");
        editor.compact().unwrap();
        drop(editor);
        assert!(files(&path) <= count && len(&path) <= size + 16);
        assert_eq!(read(&path)[..50], noise[4..54]);
    }
}

/// State `k`: all items are `k`, and the number of rows follows from it.
fn rows(k: u64) -> u64 {
    ROWS + k * 7 % 11
}

/// Run and killed by the test below.
#[test]
#[ignore = "waits to be killed"]
fn writes_until_it_is_killed() {
    let path = PathBuf::from(env::var_os("B2ND_KILLED").unwrap());
    let mut editor = b2nd::edit(&path).unwrap();
    let now = editor.layout().unwrap().shape().to_vec();
    let first = (1..=255).find(|&k| rows(k) == now[0]).unwrap_or(1);
    for k in (first + 1..=255).cycle() {
        let old = editor.layout().unwrap().shape().to_vec();
        if k % 3 == 0 && old[0] < rows(k) {
            editor.append(0, &vec![k as u8; ((rows(k) - old[0]) * 50) as usize]).unwrap();
        }
        editor.resize(&[rows(k), 50]).unwrap();
        editor.set(Selection::all(), &vec![k as u8; (rows(k) * 50) as usize]).unwrap();
        editor.commit().unwrap();
        println!("committed");
    }
}

#[test]
fn a_killed_writer_leaves_a_whole_frame() {
    let kills: u64 = env::var("B2ND_KILLS").map_or(24, |count| count.parse().unwrap());
    let mut states = BTreeSet::new();
    for kill in 0..kills {
        let is_sparse = kill % 2 == 1;
        let folder = Folder::new("kill");
        let path = folder.0.join("a.b2nd");
        let mut editor = b2nd::create(&path, &params(is_sparse)).unwrap();
        editor.fill(Selection::all(), &[0]).unwrap();
        editor.commit().unwrap();
        drop(editor);
        let mut child = Command::new(env::current_exe().unwrap())
            .args(["--exact", "files::writes_until_it_is_killed", "--ignored", "--nocapture"])
            .env("B2ND_KILLED", &path)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        // After some commits, at any moment of the next one.
        let lines = BufReader::new(child.stdout.as_mut().unwrap()).lines();
        let commits =
            lines.filter(|line| line.as_ref().unwrap() == "committed").take((kill % 4 + 1) as usize);
        assert_eq!(commits.count() as u64, kill % 4 + 1);
        thread::sleep(Duration::from_micros(kill * 7919 % 5_000));
        child.kill().unwrap();
        child.wait().unwrap();
        let items = read(&path);
        let k = u64::from(items[0]);
        assert!(items.iter().all(|&item| u64::from(item) == k), "kill {kill}");
        assert_eq!(items.len() as u64, rows(k) * 50, "kill {kill}, state {k}");
        states.insert(k);
        // It can be changed, and what the killed process left is of no harm.
        let mut editor = b2nd::edit(&path).unwrap();
        editor.fill(Selection::all(), &[7]).unwrap();
        editor.compact().unwrap();
        drop(editor);
        assert!(read(&path).iter().all(|&item| item == 7));
        assert_eq!(folder.names(), ["a.b2nd"]);
    }
    assert!(states.len() > 2, "{states:?}");
}

/// State `k` of an array that cannot be compressed, so that all states have the same lengths.
fn noise(k: u64) -> Vec<u8> {
    (0..ROWS as u32 * 50)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8)
        .map(|n| n.wrapping_add(k as u8))
        .collect()
}

fn created(path: &Path, is_sparse: bool) {
    let mut editor = b2nd::create(path, &params(is_sparse)).unwrap();
    editor.set(Selection::all(), &noise(0)).unwrap();
    editor.commit().unwrap();
}

fn is_changed<T>(result: &Result<T, ReadError<io::Error>>) -> bool {
    matches!(result, Err(ReadError::Blosc(error)) if matches!(error.kind(), b2nd::ErrorKind::Changed(_)))
}

/// Run by the test below.
#[test]
#[ignore = "a process of its own"]
fn commits_many_states() {
    let path = PathBuf::from(env::var_os("B2ND_WRITTEN").unwrap());
    let count: u64 = env::var("B2ND_COMMITS").unwrap().parse().unwrap();
    let mut editor = b2nd::edit(&path).unwrap();
    for k in 1..=count {
        editor.set(Selection::all(), &noise(k)).unwrap();
        editor.commit().unwrap();
    }
}

/// Run by the test below until its input ends. Prints how many reads were whole, and how many refused.
#[test]
#[ignore = "a process of its own"]
fn reads_until_the_writer_ends() {
    let path = PathBuf::from(env::var_os("B2ND_WRITTEN").unwrap());
    let ended = thread::spawn(|| io::stdin().lines().count());
    let mut reader = b2nd::open(&path).unwrap();
    let (mut whole, mut refused) = (0, 0);
    while !ended.is_finished() {
        for rows in ["", "3:9", "2::3"] {
            let selection: Selection = rows.parse().unwrap();
            let read = reader.get(&selection);
            if is_changed(&read) {
                refused += 1;
                reader.refresh().unwrap();
                continue;
            }
            let items = read.unwrap();
            let first = match rows {
                "" => 0,
                "3:9" => 150,
                _ => 100,
            };
            let k = u64::from(items[0].wrapping_sub(noise(0)[first]));
            let step = if rows == "2::3" { 3 } else { 1 };
            let expected: Vec<u8> = noise(k)[first..].chunks(50).step_by(step).flatten().copied().collect();
            assert!(items == expected[..items.len()], "a mixture at state {k}, [{rows}]");
            whole += 1;
        }
    }
    println!("{whole} whole, {refused} refused");
}

/// `B2ND_COMMITS=10000 B2ND_READERS=4` for longer.
#[test]
fn readers_see_one_state_while_another_process_commits() {
    let number = |name: &str, or: usize| env::var(name).map_or(or, |count| count.parse().unwrap());
    let (commits, readers) = (number("B2ND_COMMITS", 50), number("B2ND_READERS", 2));
    for is_sparse in [false, true] {
        let folder = Folder::new(if is_sparse { "states-sparse" } else { "states" });
        let path = folder.0.join("a.b2nd");
        created(&path, is_sparse);
        let run = |name: &str| {
            let mut command = Command::new(env::current_exe().unwrap());
            command
                .args(["--exact", &format!("files::{name}"), "--ignored", "--nocapture"])
                .stdin(Stdio::piped());
            command.env("B2ND_WRITTEN", &path).env("B2ND_COMMITS", commits.to_string());
            command.stdout(Stdio::piped()).spawn().unwrap()
        };
        let readers: Vec<_> = (0..readers).map(|_| run("reads_until_the_writer_ends")).collect();
        assert!(run("commits_many_states").wait().unwrap().success());
        for reader in readers {
            let output = reader.wait_with_output().unwrap();
            let said = String::from_utf8(output.stdout).unwrap();
            assert!(output.status.success(), "{said}");
            if commits > 1000 {
                println!("{said}");
            }
        }
        assert_eq!(read(&path), noise(commits as u64));
    }
}

/// Programs that do not lock write into the file, or put another one in its place.
#[test]
fn editors_leave_alone_what_programs_without_locks_have_written() {
    let ways: [fn(&Path, &Path); 2] = [
        |other, path| fs::write(path, fs::read(other).unwrap()).unwrap(),
        |other, path| {
            let aside = path.with_extension("aside");
            fs::rename(path, &aside).unwrap();
            fs::rename(other, path).unwrap();
        },
    ];
    for (is_sparse, way, early) in [
        (false, 0, false),
        (false, 0, true),
        (false, 1, false),
        (false, 1, true),
        (true, 1, false),
        (true, 1, true),
    ] {
        let folder = Folder::new("unlocked");
        let (path, other) = (folder.0.join("a.b2nd"), folder.0.join("b.b2nd"));
        created(&path, is_sparse);
        let mut theirs = b2nd::create(&other, &params(is_sparse)).unwrap();
        theirs.append(0, &[9; 5000]).unwrap();
        theirs.commit().unwrap();
        drop(theirs);
        let expected = read(&other);
        let mut editor = b2nd::edit(&path).unwrap();
        if early {
            editor.set("1:3".parse::<Selection>().unwrap(), &noise(1)[..100]).unwrap();
        }
        ways[way](&other, &path);
        let made = editor.set("5:9".parse::<Selection>().unwrap(), &noise(2)[..200]);
        let done = made.and_then(|()| editor.commit());
        assert!(is_changed(&done), "{done:?}");
        drop(editor);
        assert_eq!(read(&path), expected, "sparse {is_sparse}, way {way}, early {early}");
    }
}

/// Editors in Node.js have lock files, which name their process.
#[test]
fn lock_files_of_running_processes_are_kept() {
    let folder = Folder::new("lock-file");
    let (path, lock) = (folder.0.join("a.b2nd"), folder.0.join(".a.b2nd.b2nd-lock"));
    created(&path, false);
    let is_refused = || matches!(b2nd::edit(&path), Err(ReadError::Source(error)) if error.kind() == io::ErrorKind::WouldBlock && error.to_string().contains(".a.b2nd.b2nd-lock"));
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or("here\n".into());
    fs::write(&lock, format!("{} {host}", process::id())).unwrap();
    assert!(is_refused());
    fs::write(&lock, format!("1 elsewhere-{host}")).unwrap();
    assert!(is_refused());
    if cfg!(target_os = "linux") {
        // No process has this number.
        fs::write(&lock, format!("{} {host}", u32::MAX)).unwrap();
        b2nd::edit(&path).unwrap();
    }
    // Files of other programs.
    for content in ["", "vim", "12"] {
        fs::write(&lock, content).unwrap();
        b2nd::edit(&path).unwrap();
    }
}
