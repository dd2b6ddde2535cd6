use super::*;

fn settings(name: &str) -> Installed {
    Installed {
        name: name.to_string(),
        source: "/somewhere".to_string(),
        command: vec![
            "python3".to_string(),
            format!("{}/tests/stand_in.py", env!("CARGO_MANIFEST_DIR")),
            "-serve".to_string(),
        ],
        is_server: true,
        players: [2, 4],
        leagues: 3,
        times: Times { turn_ms: Some(50), ..Times::default() },
    }
}

fn keep(folder: &Path, installed: &Installed) {
    let place = folder.join(&installed.name);
    fs::create_dir_all(&place).unwrap();
    fs::write(place.join(SETTINGS), toml::to_string(installed).unwrap()).unwrap();
    fs::write(place.join("stub.txt"), "gameloop\nread turn:int card:int\nwrite 3\n").unwrap();
}

#[test]
fn what_is_kept_is_found_tried_and_removed() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(Installed::all(folder.path()), []);
    for name in ["b", "a"] {
        keep(folder.path(), &settings(name));
    }
    fs::create_dir(folder.path().join("unfinished")).unwrap();
    let names: Vec<String> =
        Installed::all(folder.path()).into_iter().map(|installed| installed.name).collect();
    assert_eq!(names, ["a", "b"]);
    let installed = Installed::open(folder.path(), "a").unwrap();
    assert_eq!(installed, settings("a"));
    assert_eq!(installed.referee().unwrap().league, Some(3));
    let played = installed.try_out(folder.path(), &AtomicBool::new(false)).unwrap();
    assert_eq!(played.points(), [9.0, 9.0]);
    Installed::remove(folder.path(), "a").unwrap();
    assert!(Installed::open(folder.path(), "a").unwrap_err().to_string().contains("unknown referee `a`"));
    assert!(Installed::remove(folder.path(), "a").is_err());
}

#[test]
fn names_lead_nowhere_else() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["", "..", "a/b", ".hidden", "a b"] {
        assert!(
            Installed::open(folder.path(), name).unwrap_err().to_string().contains("invalid name"),
            "{name}"
        );
        assert!(
            Installed::remove(folder.path(), name).unwrap_err().to_string().contains("invalid name"),
            "{name}"
        );
    }
}

#[test]
fn what_cannot_be_built_says_why_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let project = tempfile::tempdir().unwrap();
    let add = |source: &str, class_path: Option<&str>| {
        let addition = Addition { source, name: "new", class_path };
        Installed::add(folder.path(), &addition, &AtomicBool::new(false), &mut |_| {})
            .unwrap_err()
            .to_string()
    };
    let has_java = std::process::Command::new("javac").arg("-version").output().is_ok();
    if !has_java {
        assert!(add("/nowhere", None).contains("install a JDK"));
        eprintln!("skipped: there is no JDK");
        return;
    }
    assert!(add("/nowhere", None).contains("cannot read /nowhere"));
    let path = project.path().to_str().unwrap();
    assert!(add(path, None).contains("no pom.xml"));
    assert!(add(path, Some(path)).contains("runner are not in the class path"));
    assert!(add(path, Some("/nowhere")).contains("cannot read /nowhere"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// A referee that expects another program to run the bots cannot play.
#[test]
fn a_jar_of_the_old_mode_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let run =
        |words: &[&str]| std::process::Command::new(words[0]).args(&words[1..]).current_dir(&folder).status();
    let source = "public class Referee { public static void main(String[] args) {
        java.util.Scanner in = new java.util.Scanner(System.in);
        in.nextLine();
        System.out.println(\"###Input 0\\n3\\n###Output 0 1\");
        in.nextLine();
        in.nextLine(); } }";
    fs::write(folder.path().join("Referee.java"), source).unwrap();
    if !run(&["javac", "Referee.java"]).is_ok_and(|status| status.success()) {
        return eprintln!("skipped: there is no JDK");
    }
    assert!(run(&["jar", "cfe", "old.jar", "Referee", "Referee.class"]).unwrap().success());
    let jar = folder.path().join("old.jar").display().to_string();
    let kept = tempfile::tempdir().unwrap();
    let addition = Addition { source: &jar, name: "old", class_path: None };
    let added = Installed::add(kept.path(), &addition, &AtomicBool::new(false), &mut |_| {});
    assert!(added.unwrap_err().to_string().contains("old.jar supports only cg-brutaltester's old mode"));
    assert_eq!(fs::read_dir(&kept).unwrap().count(), 0);
}

/// The engine has two time limits, and exceeding either of them loses the game. A bot with a longer time must exceed
/// neither.
#[test]
fn a_bot_has_the_time_that_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let compiled = std::process::Command::new("javac")
        .arg("-sourcepath")
        .arg(here.join("tests/runner"))
        .arg("-d")
        .args([folder.path(), &here.join("java/contender/Host.java")])
        .status();
    match compiled {
        Ok(status) => assert!(status.success()),
        Err(_) => return eprintln!("skipped: there is no JDK"),
    }
    for (timeout, scores) in
        [("0", "-1\n-1\n"), ("119", "-1\n-1\n"), ("120", "10\n10\n"), ("3000", "10\n10\n")]
    {
        let words = ["contender.Host", "-p1", "a", "-p2", "b", "-timeout", timeout];
        let played = std::process::Command::new("java").arg("-cp").arg(folder.path()).args(words).output();
        assert_eq!(String::from_utf8_lossy(&played.unwrap().stdout), scores, "{timeout}");
    }
}
