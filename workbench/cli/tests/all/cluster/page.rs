//! The commands of the first setup in `docs/howto/several-machines.md`, exactly as the page shows them, with the
//! smallest possible game.

use super::{CONTENDER, Running, free_port, nats, wait_for};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Returns the lines of code below a heading.
fn commands(heading: &str) -> Vec<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/howto/several-machines.md");
    let text = fs::read_to_string(page).unwrap();
    let section = text.split("\n## ").find(|section| section.starts_with(heading)).unwrap();
    let blocks = section.split("```").skip(1).step_by(2);
    blocks.flat_map(str::lines).filter(|line| !line.is_empty()).map(str::to_string).collect()
}

#[test]
fn three_machines_at_home_play_as_the_page_says() {
    if nats().is_none() {
        return;
    }
    let (homes, port) = ([(); 3].map(|()| tempfile::tempdir().unwrap()), free_port());
    let mut variables = String::new();
    // A command on one of the machines.
    let on = |home: &Path, variables: &str, line: &str| {
        let mut command = Command::new("bash");
        command.arg("-c").arg(format!("{variables}{line}")).current_dir(home).env("HOME", home);
        let folder = Path::new(CONTENDER).parent().unwrap().display();
        command.env("PATH", format!("{folder}:{}", std::env::var("PATH").unwrap())).stdin(Stdio::null());
        for name in ["XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"] {
            command.env_remove(name);
        }
        command
    };
    let first = homes[0].path();
    let mut running = Vec::new();
    let mut said = String::new();
    for line in commands("Three machines at home") {
        let line = line
            .replace("192.168.1.10:4222", &format!("127.0.0.1:{port}"))
            .replace("cluster up", &format!("cluster up --port {port}"))
            .replace("-n 500 --nodes 20000", "-n 3 --nodes 50");
        let start = |home: &Path| {
            let mut command = on(home, &variables, &format!("exec {line}"));
            Running(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
        };
        if line.starts_with("export ") {
            variables += &format!("{line}\n");
        } else if line.starts_with("contender cluster up") {
            running.push(start(first));
            wait_for(port);
        } else if line.starts_with("contender worker") {
            // The page leaves open how the file is copied.
            for home in &homes[1..] {
                fs::copy(first.join(".nats-password"), home.path().join(".nats-password")).unwrap();
            }
            running.extend(homes.iter().map(|home| start(home.path())));
        } else {
            let output = on(first, &variables, &line).output().unwrap();
            said = super::text(&output);
            assert!(output.status.success(), "{line}: {said}");
        }
    }
    let log = fs::read_to_string(first.join("match.jsonl")).unwrap();
    assert_eq!(log.lines().count(), 6);
    // The last command prints the status. The workers measure the speed of their machine before they join.
    assert!(said.contains("0 jobs") && said.contains(" there "), "{said}");
    let start = Instant::now();
    while !said.contains("3 workers with ") {
        assert!(start.elapsed() < Duration::from_secs(600), "{said}");
        let status = format!("contender cluster status --on nats://127.0.0.1:{port}");
        said = super::text(&on(first, &variables, &status).output().unwrap());
    }
}
