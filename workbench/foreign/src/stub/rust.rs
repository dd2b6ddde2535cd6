//! Generation of programs in Rust.

use super::program::{Target, Text, literal, snake_case};
use super::{LinePart, ValueType, Variable};

pub(super) struct Rust;

fn type_name(kind: ValueType) -> &'static str {
    match kind {
        ValueType::Int => "i32",
        ValueType::Long => "i64",
        ValueType::Float => "f64",
        ValueType::Word | ValueType::Text => "String",
    }
}

impl Target for Rust {
    const COMMENT: &'static str = "//";
    const OPEN: &'static str = " {";
    const CLOSE: Option<&'static str> = Some("}");
    const RESERVED: &'static [&'static str] = &[
        "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum", "extern",
        "false", "fn", "for", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref",
        "return", "self", "static", "struct", "super", "trait", "true", "type", "unsafe", "use", "where",
        "while", "abstract", "become", "box", "do", "final", "macro", "override", "priv", "try", "typeof",
        "unsized", "virtual", "yield", "line", "words", "next", "text", "_",
    ];

    fn style(name: &str) -> String {
        snake_case(name)
    }

    fn open(&mut self, text: &mut Text) {
        text.line("#![allow(unused_variables)]\n");
        text.line("use std::str::{FromStr, SplitWhitespace};\n");
        text.line("fn line() -> String {\n    let mut text = String::new();");
        text.line("    if std::io::stdin().read_line(&mut text).unwrap_or(0) == 0 {\n        std::process::exit(0);\n    }");
        text.line("    text.trim_end_matches(|c| c == '\\r' || c == '\\n').to_string()\n}\n");
        text.line("fn next<T: FromStr>(words: &mut SplitWhitespace) -> T {");
        text.line("    let word = words.next().expect(\"the line has fewer values than expected\");");
        text.line(
            "    word.parse().ok().unwrap_or_else(|| panic!(\"{} is not of the expected type\", word))\n}\n",
        );
        text.line("fn main() {");
        text.indent();
    }

    fn close(&mut self, text: &mut Text) {
        text.outdent();
        text.line("}");
    }

    fn read(&mut self, variables: &[Variable], text: &mut Text) {
        if let [Variable { name, kind: ValueType::Text }] = variables {
            text.line(&format!("let {} = line();", Self::name(name)));
            return;
        }
        self.take_line(text);
        self.next(variables, text);
    }

    fn take_line(&mut self, text: &mut Text) {
        text.line("let text = line();");
        text.line("let mut words = text.split_whitespace();");
    }

    fn next(&mut self, variables: &[Variable], text: &mut Text) {
        for Variable { name, kind } in variables {
            let value = match kind {
                ValueType::Text => "words.by_ref().collect::<Vec<_>>().join(\" \")",
                _ => "next(&mut words)",
            };
            text.line(&format!("let {}: {} = {value};", Self::name(name), type_name(*kind)));
        }
    }

    fn write(&mut self, parts: &[LinePart], text: &mut Text) {
        let parts = parts.iter().map(|part| match part {
            LinePart::Text(words) => literal(words),
            LinePart::Variable(name) => Self::name(name),
        });
        let parts: Vec<String> = parts.collect();
        text.line(&format!(
            "println!({}, {});",
            literal(&vec!["{}"; parts.len()].join(" ")),
            parts.join(", ")
        ));
    }

    fn forever(&self) -> &'static str {
        "loop"
    }

    fn times(&self, count: &str) -> String {
        format!("for _ in 0..{count}")
    }
}
