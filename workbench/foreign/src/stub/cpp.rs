//! Generation of programs in C++17.

use super::program::{Target, Text, literal};
use super::{LinePart, ValueType, Variable};
use std::collections::BTreeMap;

/// The declared variables in each open scope, innermost scope last.
pub(super) struct Cpp {
    scopes: Vec<BTreeMap<String, ValueType>>,
}

impl Default for Cpp {
    fn default() -> Cpp {
        Cpp { scopes: vec![BTreeMap::new()] }
    }
}

fn type_name(kind: ValueType) -> &'static str {
    match kind {
        ValueType::Int => "int",
        ValueType::Long => "long long",
        ValueType::Float => "double",
        ValueType::Word | ValueType::Text => "std::string",
    }
}

impl Cpp {
    /// Declares the variables that have not been declared in this scope yet.
    fn declare(&mut self, variables: &[Variable], text: &mut Text) {
        let Some(scope) = self.scopes.last_mut() else { return };
        for Variable { name, kind } in variables {
            if scope.insert(name.clone(), *kind).is_none() {
                text.line(&format!("{} {};", type_name(*kind), Self::name(name)));
            }
        }
    }
}

impl Target for Cpp {
    const COMMENT: &'static str = "//";
    const OPEN: &'static str = " {";
    const CLOSE: Option<&'static str> = Some("}");
    const RESERVED: &'static [&'static str] = &[
        "alignas",
        "alignof",
        "and",
        "asm",
        "auto",
        "bool",
        "break",
        "case",
        "catch",
        "char",
        "class",
        "compl",
        "const",
        "continue",
        "default",
        "delete",
        "do",
        "double",
        "else",
        "enum",
        "explicit",
        "export",
        "extern",
        "false",
        "float",
        "for",
        "friend",
        "goto",
        "if",
        "inline",
        "int",
        "long",
        "main",
        "mutable",
        "namespace",
        "new",
        "not",
        "operator",
        "or",
        "private",
        "protected",
        "public",
        "register",
        "return",
        "short",
        "signed",
        "sizeof",
        "static",
        "std",
        "struct",
        "switch",
        "template",
        "this",
        "throw",
        "true",
        "try",
        "typedef",
        "typeid",
        "typename",
        "union",
        "unsigned",
        "using",
        "virtual",
        "void",
        "volatile",
        "while",
        "xor",
        "line",
        "words",
        "step",
    ];

    fn style(name: &str) -> String {
        name.to_string()
    }

    fn open(&mut self, text: &mut Text) {
        text.line("#include <cstdlib>\n#include <iostream>\n#include <sstream>\n#include <string>\n");
        text.line("static std::string line() {\n    std::string text;\n    if (!std::getline(std::cin, text)) std::exit(0);");
        text.line("    if (!text.empty() && text.back() == '\\r') text.pop_back();\n    return text;\n}\n");
        text.line("int main() {");
        text.indent();
        text.line("std::istringstream words;");
    }

    fn close(&mut self, text: &mut Text) {
        text.outdent();
        text.line("}");
    }

    fn read(&mut self, variables: &[Variable], text: &mut Text) {
        self.declare(variables, text);
        if let [Variable { name, kind: ValueType::Text }] = variables {
            text.line(&format!("{} = line();", Self::name(name)));
            return;
        }
        self.take_line(text);
        self.values(variables, text);
    }

    fn take_line(&mut self, text: &mut Text) {
        text.line("words = std::istringstream(line());");
    }

    fn next(&mut self, variables: &[Variable], text: &mut Text) {
        self.declare(variables, text);
        self.values(variables, text);
    }

    fn write(&mut self, parts: &[LinePart], text: &mut Text) {
        let parts = parts.iter().map(|part| match part {
            LinePart::Text(words) => literal(words),
            LinePart::Variable(name) => Self::name(name),
        });
        text.line(&format!("std::cout << {} << std::endl;", parts.collect::<Vec<_>>().join(" << \" \" << ")));
    }

    fn forever(&self) -> &'static str {
        "while (true)"
    }

    fn times(&self, count: &str) -> String {
        format!("for (long long step = 0; step < {count}; ++step)")
    }

    fn enter(&mut self) {
        self.scopes.push(BTreeMap::new());
    }

    fn leave(&mut self) {
        self.scopes.pop();
    }
}

impl Cpp {
    fn values(&mut self, variables: &[Variable], text: &mut Text) {
        let (texts, values): (Vec<_>, Vec<_>) =
            variables.iter().partition(|variable| variable.kind == ValueType::Text);
        let names: Vec<String> = values.iter().map(|variable| Self::name(&variable.name)).collect();
        if !names.is_empty() {
            text.line(&format!("words >> {};", names.join(" >> ")));
        }
        for variable in texts {
            text.line(&format!("std::getline(words >> std::ws, {});", Self::name(&variable.name)));
        }
    }
}
