//! Programs made of random parts.

use super::pieces::{PIECES, Piece};
use contender_game::rules::Rng;
use std::collections::HashSet;

/// A package with a library and a binary.
pub struct Program {
    /// The files in `src`, with their texts.
    pub files: Vec<(String, String)>,
}

/// Names of everything that starts with a lower-case letter: words from the standard library, macros and strings, and
/// prefixes of each other.
const SMALL: &[&str] = &[
    "a",
    "b",
    "x",
    "y",
    "aa",
    "ab",
    "value",
    "item",
    "next",
    "len",
    "push",
    "get",
    "map",
    "new",
    "data",
    "index",
    "iter",
    "fold",
    "sum",
    "text",
    "write",
    "format",
    "print",
    "inner",
    "outer",
    "made_",
    "größe",
    "naïve",
    "変数",
    "ß",
    "r#type",
    "r#match",
    "r#loop",
    "clone",
    "add",
    "fmt",
    "drop_",
    "static_",
    "i64_",
    "from",
    "onto",
    "take",
    "count",
    "default_value",
    "std_",
    "lines",
    "vec",
    "result",
];
/// Names of types, traits and variants.
const LARGE: &[&str] = &[
    "A", "B", "Aa", "Ab", "Item", "Output", "Node", "Value", "Point", "Größe", "Pair", "Kind", "Shape",
    "Index_", "Leaf", "Branch", "Left", "Right", "Target", "Error", "Wrapper", "Counter", "Stack", "Entry",
    "Words", "Range_", "Never", "Greeting",
];
/// Names of generic parameters, some of which are also names of types.
const PARAMETERS: &[&str] = &["T", "U", "A", "Item", "Output", "Value", "K"];
const LIFETIMES: &[&str] = &["'a", "'x", "'value", "'item", "'Item", "'A", "'len"];
const CONSTANTS: &[&str] = &[
    "A_", "LEN", "VALUE", "MAX", "MIN", "SIZE", "ITEM", "ONE", "X", "Y", "PI", "FIRST", "Ä", "EPSILON",
    "LIMIT",
];
const TEXTS: &[&str] = &[
    "fn main() { let x = 1; }",
    "// no comment",
    "/* nor this",
    "plain",
    "é ü ß 漢字 \u{1F600}",
    "'a 'static r#type",
    "crate::made::value",
    "#[derive(Debug)]",
    "self.len() + VALUE",
    "a  b\tc",
];

/// The random generator, and the names that a module already has.
pub struct Maker {
    pub rng: Rng,
    values: HashSet<String>,
    types: HashSet<String>,
    /// Macros are in scope by their position in the text, so their names must be unique in the whole crate.
    macros: HashSet<String>,
}

impl Maker {
    fn pick(&mut self, list: &[&str]) -> String {
        list[self.rng.index(list.len())].to_string()
    }

    pub fn chance(&mut self, percent: u32) -> bool {
        self.rng.below(100) < percent
    }

    /// Returns a random name for a variable, field, method or parameter.
    pub fn small(&mut self) -> String {
        self.pick(SMALL)
    }

    /// Returns `count` different names.
    pub fn smalls(&mut self, count: usize) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        while names.len() < count {
            let name = self.small();
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// Returns `count` different names for the variants of a type.
    pub fn variants(&mut self, of: &str, count: usize) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        while names.len() < count {
            let name = self.pick(LARGE);
            if name != of && !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// Returns a generic parameter with a name that hides none of these types.
    pub fn parameter(&mut self, but: &[&String]) -> String {
        loop {
            let name = self.pick(PARAMETERS);
            if !but.contains(&&name) {
                return name;
            }
        }
    }

    pub fn lifetime(&mut self) -> String {
        self.pick(LIFETIMES)
    }

    /// Returns a text as a literal in a random form.
    pub fn text(&mut self) -> String {
        let text = self.pick(TEXTS);
        match self.rng.below(3) {
            0 if text.is_ascii() => format!("r#\"{text}\"#"),
            1 => format!("\"{}\"", text.escape_default()),
            _ => format!("\"{text}\""),
        }
    }

    /// Returns a new name in the module, for a function or a module.
    pub fn value(&mut self) -> String {
        loop {
            let mut name = self.small();
            if self.chance(50) {
                name += &self.rng.below(10).to_string();
            }
            if self.values.insert(name.trim_start_matches("r#").to_string()) {
                return name;
            }
        }
    }

    pub fn constant(&mut self) -> String {
        loop {
            let name = format!("{}{}", self.pick(CONSTANTS), self.rng.below(30));
            if self.values.insert(name.clone()) {
                return name;
            }
        }
    }

    /// Returns a new name in the module, for a type or a trait.
    pub fn large(&mut self) -> String {
        loop {
            let mut name = self.pick(LARGE);
            if self.chance(50) {
                name += &self.rng.below(10).to_string();
            }
            if self.types.insert(name.clone()) && self.values.insert(name.clone()) {
                return name;
            }
        }
    }

    pub fn macro_name(&mut self) -> String {
        loop {
            let name = format!("{}_{}", self.small().trim_start_matches("r#"), self.rng.below(100));
            if self.macros.insert(name.clone()) {
                return name;
            }
        }
    }

    /// Returns a random expression of type `i64` over variables of that type.
    pub fn number(&mut self, variables: &[String], depth: u32) -> String {
        if depth == 0 || self.chance(15) {
            let literal = match self.rng.below(6) {
                0 => format!("{}", self.rng.below(100)),
                1 => format!("0x{:x}_{:x}", self.rng.below(16), self.rng.below(16)),
                2 => format!("1_{:03}", self.rng.below(1000)),
                3 => format!("-{}", self.rng.below(9)),
                4 => format!("{}i64", self.rng.below(50)),
                _ => format!("i64::from(b'{}')", (b'a' + self.rng.below(26) as u8) as char),
            };
            return match variables {
                [] => literal,
                _ if self.chance(30) => literal,
                some => some[self.rng.index(some.len())].clone(),
            };
        }
        let depth = depth - 1;
        let (one, two) = (self.number(variables, depth), self.number(variables, depth));
        let name = self.small();
        let mut more = variables.to_vec();
        more.push(name.clone());
        match self.rng.below(14) {
            0 => format!("({one} as i64).wrapping_mul({two})"),
            1 => format!("({one} ^ - {two})"),
            2 => format!("(if {one} < {two} {{ {one} }} else {{ {} }})", self.number(variables, depth)),
            3 => format!("{{ let {name} = {one}; {} }}", self.number(&more, depth)),
            4 => format!("(|{name}: i64| {})({one})", self.number(&more, depth)),
            5 => {
                let body = self.number(&more, depth);
                format!("[{one}, {two},].iter().map(|&{name}| {body}).fold(0i64, i64::wrapping_add)")
            }
            6 => {
                let (body, label) = (self.number(&more, depth), self.lifetime());
                format!(
                    "{{ let mut {name} = 0i64; {label}: loop {{ {name} += 1; if {name} > 3 {{ break {label} {body}; }} }} }}"
                )
            }
            7 => format!("std::cmp::max({one}, {two})"),
            8 => format!(
                "(match {one} & 3 {{ 0 => {two}, 1 | 2 => 5, {name} => {} }})",
                self.number(&more, depth)
            ),
            9 => {
                format!(
                    "(if let Some({name} @ -50..=50) = Some({one}) {{ {} }} else {{ {two} }})",
                    self.number(&more, depth)
                )
            }
            10 => format!("(({one}, {two}).1 >> 1)"),
            11 => format!("({}.len() as i64)", self.text()),
            12 => {
                let other = self.number(&more, depth);
                format!(
                    "{{ let mut {name} = vec![{one}, {two}]; {name}.push(7); let {name} = {name}.len() as i64; {other} }}"
                )
            }
            _ => format!("(**&&({one}))"),
        }
    }
}

/// Returns the random program for a seed.
pub fn program(seed: u64) -> Program {
    let mut maker =
        Maker { rng: Rng::new(seed), values: HashSet::new(), types: HashSet::new(), macros: HashSet::new() };
    let allow = "#![allow(warnings)]\n";
    let (mut library, mut main) = (String::from(allow), String::from(allow));
    let mut files = Vec::new();
    let mut calls: Vec<String> = Vec::new();
    let mut modules: HashSet<String> = HashSet::from(["made".to_string()]);
    for number in 0..4 {
        let name = loop {
            let name = maker.small().trim_start_matches("r#").to_string();
            let name = if name.is_ascii() { name } else { format!("m{number}") };
            if !["type", "match", "loop"].contains(&&name[..]) && modules.insert(name.clone()) {
                break name;
            }
        };
        (maker.values, maker.types) = (HashSet::new(), HashSet::new());
        let pieces: Vec<Piece> = (0..5).map(|_| PIECES[maker.rng.index(PIECES.len())](&mut maker)).collect();
        let items: String = pieces.iter().map(|piece| format!("{}\n", piece.items)).collect();
        let own = pieces.iter().flat_map(|piece| &piece.calls);
        match number {
            0 => library += &format!("pub mod {name} {{ {items} }}\n"),
            1 => {
                library += &format!("pub mod {name};\n");
                files.push((format!("{name}.rs"), items));
            }
            2 => {
                library += &format!("pub mod {name};\n");
                files.push((format!("{name}/mod.rs"), items));
            }
            _ => main += &format!("mod {name} {{ {items} }}\n"),
        }
        let path = if number < 3 { format!("made::{name}::") } else { format!("crate::{name}::") };
        // In calls, `~` stands for the path of the module.
        calls.extend(own.map(|call| call.replace('~', &path)));
    }
    library += "#[cfg(test)] mod tests { fn broken() -> u8 { \"\" } }\n";
    main += "fn main() {\n";
    for call in calls {
        main += &format!("    println!(\"{{}}\", {call});\n");
    }
    main += "}\n";
    files.extend([("lib.rs".to_string(), library), ("main.rs".to_string(), main)]);
    Program { files }
}
