//! Generation of programs in Python 3.

use super::program::{Target, Text, literal, snake_case};
use super::{LinePart, ValueType, Variable};

pub(super) struct Python;

fn value(kind: ValueType, text: &str) -> String {
    match kind {
        ValueType::Int | ValueType::Long => format!("int({text})"),
        ValueType::Float => format!("float({text})"),
        ValueType::Word | ValueType::Text => text.to_string(),
    }
}

impl Target for Python {
    const COMMENT: &'static str = "#";
    const OPEN: &'static str = ":";
    const CLOSE: Option<&'static str> = None;
    const RESERVED: &'static [&'static str] = &[
        "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else",
        "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
        "not", "or", "pass", "raise", "return", "try", "while", "with", "yield", "line", "words", "next",
        "iter", "int", "float", "print", "range", "sys", "_",
    ];

    fn style(name: &str) -> String {
        snake_case(name)
    }

    fn open(&mut self, text: &mut Text) {
        text.line("import sys\n\n");
        text.line("def line():\n    text = sys.stdin.readline()\n    if not text:\n        sys.exit(0)");
        text.line("    return text.rstrip(\"\\r\\n\")\n\n");
    }

    fn close(&mut self, _: &mut Text) {}

    fn read(&mut self, variables: &[Variable], text: &mut Text) {
        if let [Variable { name, kind }] = variables {
            let whole = if *kind == ValueType::Word { "line().strip()" } else { "line()" };
            text.line(&format!("{} = {}", Self::name(name), value(*kind, whole)));
            return;
        }
        let parts = match variables.iter().any(|variable| variable.kind == ValueType::Text) {
            true => format!("line().split(\" \", {})", variables.len() - 1),
            false => "line().split()".to_string(),
        };
        text.line(&format!("words = {parts}"));
        for (at, Variable { name, kind }) in variables.iter().enumerate() {
            text.line(&format!("{} = {}", Self::name(name), value(*kind, &format!("words[{at}]"))));
        }
    }

    fn take_line(&mut self, text: &mut Text) {
        text.line("words = iter(line().split())");
    }

    fn next(&mut self, variables: &[Variable], text: &mut Text) {
        for Variable { name, kind } in variables {
            text.line(&format!("{} = {}", Self::name(name), value(*kind, "next(words)")));
        }
    }

    fn write(&mut self, parts: &[LinePart], text: &mut Text) {
        let parts = parts.iter().map(|part| match part {
            LinePart::Text(words) => literal(words),
            LinePart::Variable(name) => Self::name(name),
        });
        text.line(&format!("print({}, flush=True)", parts.collect::<Vec<_>>().join(", ")));
    }

    fn forever(&self) -> &'static str {
        "while True"
    }

    fn times(&self, count: &str) -> String {
        format!("for _ in range({count})")
    }
}
