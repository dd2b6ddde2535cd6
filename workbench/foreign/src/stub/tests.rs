use super::*;
use proptest::prelude::*;

/// A typical stub: a map in lines, entities with words, several actions, comments.
const MAP: &str = "STATEMENT\nGrow.\n\nread width:int height:int\nloop height read row:string(width)\ngameloop\nread count:int\n\
    loop count read x:int y:int type:word(32) share:float\nread myA:int myB:long\nloop count write WAIT\n\nINPUT\nwidth: columns\n\
    type: WALL, or C:\\\n\nOUTPUT\nMOVE x y\n";
/// Nested loops, a line of groups, an answer with a variable, a name with two types in different places, reserved
/// words.
const GROUPS: &str = "read in:int\nloop 2 loop in read type:int\nloop in loopline in x:int y:int kind:word(3)\ngameloop\nread x:int\nread x:int s:string(9)\n\
    loopline 2 loop:int\nwrite join(\"MOVE\", x, \"to {it}\\\")\nsay hi\n";

fn stub(text: &str) -> Stub {
    Stub::parse(text).unwrap()
}

#[test]
fn a_stub_is_read() {
    let stub = stub(MAP);
    assert_eq!((stub.statement, stub.output), (vec!["Grow.".to_string()], vec!["MOVE x y".to_string()]));
    assert_eq!(stub.inputs["width"], "columns");
    assert_eq!(stub.start.len(), 2);
    let count = Count::Variable("count".to_string());
    let wait = Step::Write(vec![LinePart::Text("WAIT".to_string())]);
    assert_eq!(stub.turn[3], Step::Loop(count, Box::new(wait)));
    let Step::Loop(_, read) = &stub.turn[1] else { panic!() };
    let Step::Read(variables) = &**read else { panic!() };
    assert_eq!(
        variables.iter().map(|variable| variable.kind).collect::<Vec<_>>(),
        [ValueType::Int, ValueType::Int, ValueType::Word, ValueType::Float]
    );
}

#[test]
fn what_is_no_stub_is_refused_with_its_line() {
    for (text, line, word) in [
        ("", 1, "no commands"),
        ("read x:int\nraed y:int", 2, "unknown command `raed`"),
        ("loop n read x:int", 1, "before it is read"),
        ("read n:word(3)\nloop n read x:int", 2, "not an integer"),
        ("read x", 1, "expected NAME:TYPE"),
        ("read x:integer", 1, "unknown type `integer`"),
        ("read 1x:int", 1, "invalid variable name"),
        ("read x:int x:int", 1, "twice"),
        ("read s:string(9) x:int", 1, "rest of the line"),
        ("loopline 3 s:string(9)", 1, "no other variable can follow"),
        ("gameloop\ngameloop", 2, "second"),
        ("write join(\"a)", 1, "unclosed quote"),
        ("write join(a)", 1, "neither"),
        ("loop 3", 1, "a count and a command"),
        ("read", 1, "missing variables"),
    ] {
        let error = Stub::parse(text).unwrap_err();
        assert!(error.line == line && error.reason.contains(word), "{text:?}: {error}");
    }
    let deep = format!("{}write x", "loop 2 ".repeat(10_000));
    assert!(Stub::parse(&deep).unwrap_err().reason.contains("8 nested loops"));
}

#[test]
fn programs_are_as_they_were() {
    let python = stub(MAP).program(StubLanguage::Python);
    assert!(python.contains("    # type: WALL, or C:\n"), "{python}");
    assert!(
        python.contains("while True:\n    count = int(line())\n    for _ in range(count):\n"),
        "{python}"
    );
    let rust = stub(GROUPS).program(StubLanguage::Rust);
    assert!(rust.contains("for _ in 0..in_ {"), "{rust}");
    assert!(rust.contains("println!(\"{} {} {}\", \"MOVE\", x, \"to {it}\\\\\");"), "{rust}");
    let cpp = stub(GROUPS).program(StubLanguage::Cpp);
    assert_eq!(cpp.matches("    int x;").count(), 2, "{cpp}");
}

/// The input of a generated program in one game and its answers, found by walking through the stub.
struct Walk {
    input: String,
    output: String,
    values: BTreeMap<String, i64>,
    next: i64,
}

impl Walk {
    fn value(&mut self, variable: &Variable) -> String {
        self.next = self.next * 31 % 97 + 1;
        match variable.kind {
            ValueType::Int | ValueType::Long => {
                self.values.insert(variable.name.clone(), self.next % 4);
                (self.next % 4).to_string()
            }
            ValueType::Float => format!("{}.5", self.next),
            ValueType::Word => format!("w{}", self.next),
            ValueType::Text => "a b".to_string(),
        }
    }

    fn line(&mut self, variables: &[Variable]) -> String {
        variables.iter().map(|variable| self.value(variable)).collect::<Vec<_>>().join(" ")
    }

    fn times(&self, count: &Count) -> i64 {
        match count {
            Count::Number(number) => i64::from(*number),
            Count::Variable(name) => self.values[name],
        }
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Read(variables) => {
                let line = self.line(variables);
                self.input += &(line + "\n");
            }
            Step::ReadLine(count, variables) => {
                let groups: Vec<String> = (0..self.times(count)).map(|_| self.line(variables)).collect();
                self.input += &(groups.join(" ") + "\n");
            }
            Step::Write(parts) => {
                let parts = parts.iter().map(|part| match part {
                    LinePart::Text(text) => text.clone(),
                    LinePart::Variable(name) => self.values[name].to_string(),
                });
                let line = parts.collect::<Vec<_>>().join(" ");
                self.output += &(line + "\n");
            }
            Step::Loop(count, step) => (0..self.times(count)).for_each(|_| self.step(step)),
        }
    }
}

/// Returns three turns of input and the matching answers.
fn walk(stub: &Stub) -> (String, String) {
    let mut walk = Walk { input: String::new(), output: String::new(), values: BTreeMap::new(), next: 5 };
    stub.start.iter().for_each(|step| walk.step(step));
    (0..3).for_each(|_| stub.turn.iter().for_each(|step| walk.step(step)));
    (walk.input, walk.output)
}

/// Runs a program with this input, checks that it exits with status 0, and returns its output.
fn answers(program: &std::path::Path, arguments: &[&std::path::Path], input: &str) -> String {
    use std::process::{Command, Stdio};
    let mut child =
        Command::new(program).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{program:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn programs_read_everything_and_answer_in_all_languages() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("map", MAP), ("groups", GROUPS)] {
        let stub = stub(text);
        let (input, output) = walk(&stub);
        let file = |suffix: &str| folder.path().join(format!("{name}{suffix}"));
        std::fs::write(file(".py"), stub.program(StubLanguage::Python)).unwrap();
        assert_eq!(answers("python3".as_ref(), &[&file(".py")], &input), output, "{name} in Python");
        for (language, suffix, compiler, flags) in [
            (StubLanguage::Cpp, ".cpp", "g++", "-std=c++17"),
            (StubLanguage::Rust, ".rs", "rustc", "--edition=2021"),
        ] {
            std::fs::write(file(suffix), stub.program(language)).unwrap();
            let program = file(&format!("{suffix}.out"));
            let built = std::process::Command::new(compiler)
                .args([flags, "-o"])
                .arg(&program)
                .arg(file(suffix))
                .status();
            assert!(built.is_ok_and(|status| status.success()), "{name} by {compiler}");
            assert_eq!(answers(&program, &[], &input), output, "{name} by {compiler}");
        }
    }
}

proptest! {
    #[test]
    fn no_text_panics_and_every_stub_has_programs(text in "((read|write|loop|loopline|gameloop|INPUT|n|3|n:int|s:string\\(3\\)|join\\(|\"|,|\\)) ?\n?){0,14}") {
        if let Ok(stub) = Stub::parse(&text) {
            for language in [StubLanguage::Python, StubLanguage::Cpp, StubLanguage::Rust] {
                prop_assert!(!stub.program(language).is_empty());
            }
        }
    }
}
