//! Parts of programs: items, and expressions that show their behaviour.

use super::program::Maker;

/// Items of a module.
pub struct Piece {
    pub items: String,
    /// Expressions that can be printed; `~` is a placeholder before the module's names.
    pub calls: Vec<String>,
}

type Make = fn(&mut Maker) -> Piece;

/// All kinds of pieces.
pub const PIECES: [Make; 18] = [
    function,
    constants,
    structure,
    enumeration,
    shapes,
    extension,
    mutable_extension,
    expression_macro,
    item_macro,
    texts,
    lifetimes,
    iterator,
    const_generics,
    nested,
    orderings,
    smart_pointer,
    dropped,
    closures,
];

fn one(items: String, call: String) -> Piece {
    Piece { items, calls: vec![call] }
}

/// Returns unused code that is put next to used code.
fn dead(maker: &mut Maker) -> String {
    if maker.chance(50) {
        return String::new();
    }
    let (function, of, field) = (maker.value(), maker.large(), maker.small());
    format!(
        "pub struct {of} {{ pub {field}: i64 }} impl {of} {{ pub fn {function}(&self) -> i64 {{ self.{field} }} }}"
    )
}

fn function(maker: &mut Maker) -> Piece {
    let (name, parameters) = (maker.value(), maker.smalls(2));
    let (body, dead) = (maker.number(&parameters, 4), dead(maker));
    let (a, b) = (&parameters[0], &parameters[1]);
    one(
        format!("{dead} pub fn {name}({a}: i64, mut {b}: i64) -> i64 {{ {b} += 1; return {body}; }}"),
        format!("~{name}({}, 7)", maker.rng.below(20)),
    )
}

fn constants(maker: &mut Maker) -> Piece {
    let (a, b, table) = (maker.constant(), maker.constant(), maker.constant());
    let name = maker.value();
    let local = maker.small();
    let numbers: Vec<String> = (0..4).map(|_| maker.rng.below(1000).to_string()).collect();
    one(
        format!(
            "pub const {a}: i64 = 1_0{}; const {b}: i64 = {a} * 2 + self::{a}; pub(crate) static {table}: [i64; 4] = [{},];
            pub fn {name}({local}: i64) -> i64 {{ match {local} {{ {a} => 1, {b} => 2, other => {table}[(other & 3) as usize] }} }}",
            maker.rng.below(100),
            numbers.join(", ")
        ),
        format!("[~{name}(3), ~{name}(~{a}), ~{name}(2 * ~{a} + ~{a})].iter().sum::<i64>()"),
    )
}

fn structure(maker: &mut Maker) -> Piece {
    let (of, fields, methods) = (maker.large(), maker.smalls(3), maker.smalls(2));
    let (a, b, c) = (&fields[0], &fields[1], &fields[2]);
    let (update, total) = (&methods[0], &methods[1]);
    let body = maker.number(&[format!("self.{a}"), format!("self.{b}"), format!("self.{c}")], 3);
    let show = maker.value();
    one(
        format!(
            "#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
            pub struct {of} {{ pub {a}: i64, pub(crate) {b}: i64, {c}: i64 }}
            impl {of} {{
                pub fn {update}(mut self, {a}: i64) -> Self {{ self.{a} = {a}; let {of} {{ {b}, .. }} = self; Self {{ {b}: {b} + 1, ..self }} }}
                fn {total}(&self) -> i64 {{ {body} }}
            }}
            impl std::ops::Add for {of} {{
                type Output = {of};
                fn add(self, other: {of}) -> {of} {{ {of} {{ {a}: self.{a} + other.{a}, {b}: other.{b}, ..other }} }}
            }}
            impl std::fmt::Display for {of} {{
                fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {{
                    let {of} {{ {a}, {b}, {c} }} = *self;
                    write!(f, \"<{{}}, {{}} {{}}>\", {a}, {b}, {c})
                }}
            }}
            pub fn {show}() -> String {{
                let {a} = {of} {{ {a}: 3, {b}: 4, {c}: 5 }};
                let {b} = {a}.{update}(9) + {of}::default();
                format!(\"{{}} {{}} {{}} {{}} {{:?}}\", {a}, {b}, {b}.{total}(), {a} < {b}, {b})
            }}"
        ),
        format!("~{show}()"),
    )
}

fn enumeration(maker: &mut Maker) -> Piece {
    let of = maker.large();
    let (variants, fields) = (maker.variants(&of, 3), maker.smalls(2));
    let (unit, tuple, record) = (&variants[0], &variants[1], &variants[2]);
    let (a, b) = (&fields[0], &fields[1]);
    let (name, weigh) = (maker.value(), maker.value());
    let body = maker.number(&fields, 2);
    one(
        format!(
            "#[derive(Clone, PartialEq, Debug)] pub enum {of} {{ {unit}, {tuple}(i64, Box<{of}>), {record} {{ {a}: i64, {b}: i64 }} }}
            pub fn {weigh}(of: &{of}) -> i64 {{
                use {of}::*;
                match of {{ {unit} => 1, {tuple}(0..=9, inner) => self::{weigh}(inner) + 2, {tuple}(n, _) if *n > 50 => -*n, {tuple}(..) => 3,
                    &{record} {{ {a}, {b} }} => {body} }}
            }}
            pub fn {name}(n: i64) -> i64 {{
                let all = [{of}::{unit}, {of}::{tuple}(n, Box::new({of}::{record} {{ {a}: n, {b}: 2 }})), {of}::{tuple}(n * 100, {of}::{unit}.into())];
                all.iter().map(self::{weigh}).sum()
            }}"
        ),
        format!("~{name}({})", maker.rng.below(20)),
    )
}

fn shapes(maker: &mut Maker) -> Piece {
    let (of, square, ring) = (maker.large(), maker.large(), maker.large());
    let parameter = maker.parameter(&[&of, &square, &ring]);
    let (sides, methods, field, show) = (maker.constant(), maker.smalls(3), maker.small(), maker.value());
    let (name, describe, make, each) = (&methods[0], &methods[1], &methods[2], maker.value());
    one(
        format!(
            "pub trait {of} {{
                fn {name}(&self) -> i64;
                fn {describe}(&self) -> String {{ format!(\"{{}}:{{}}\", self.{name}(), {of}::{name}(self) + 1) }}
            }}
            trait {of}s {{ const {sides}: i64; type Out_; fn {make}() -> Self::Out_; }}
            pub struct {square}; pub struct {ring}<{parameter}> {{ {field}: {parameter} }}
            impl {of} for {square} {{ fn {name}(&self) -> i64 {{ <Self as {of}s>::{sides} }} }}
            impl {of}s for {square} {{ const {sides}: i64 = 4; type Out_ = Vec<i64>; fn {make}() -> Vec<i64> {{ vec![Self::{sides}; 2] }} }}
            impl<{parameter}: Copy + Into<i64>> {of} for {ring}<{parameter}> {{
                fn {name}(&self) -> i64 {{ self.{field}.into() }}
                fn {describe}(&self) -> String {{ String::from(\"ring\") }}
            }}
            impl<{parameter}: {of} + ?Sized> {of} for Box<{parameter}> {{ fn {name}(&self) -> i64 {{ (**self).{name}() * 10 }} }}
            fn {each}<{parameter}>(all: &[{parameter}]) -> String where {parameter}: {of} {{ all.iter().map(|one| one.{describe}()).collect::<Vec<_>>().join(\"|\") }}
            pub fn {show}() -> String {{
                let all: Vec<Box<dyn {of}>> = vec![Box::new({square}), Box::new({ring} {{ {field}: 7u8 }})];
                format!(\"{{}} {{}} {{:?}} {{}}\", self::{each}(&all), self::{each}(&[{square}]), <{square} as {of}s>::{make}(), <{square} as {of}s>::{sides})
            }}"
        ),
        format!("~{show}()"),
    )
}

/// A trait on standard library types with methods that these types also have. The types' own methods take precedence.
fn extension(maker: &mut Maker) -> Piece {
    let (of, show) = (maker.large(), maker.value());
    let method = ["len", "is_empty", "first", "capacity"][maker.rng.index(4)];
    let other = maker.small().replace("r#", "");
    one(
        format!(
            "pub trait {of} {{ fn {method}(&self) -> String; fn {other}_s(&self) -> String {{ self.{method}() + \"!\" }} }}
            impl {of} for Vec<u8> {{ fn {method}(&self) -> String {{ \"ours\".to_string() }} }}
            pub fn {show}() -> String {{
                let list: Vec<u8> = Vec::from([1, 2, 3]);
                format!(\"{{:?}} {{}} {{}}\", list.{method}(), {of}::{method}(&list), list.{other}_s())
            }}"
        ),
        format!("~{show}()"),
    )
}

/// A method with `&mut self` has lower precedence than the standard library's with `&self`.
fn mutable_extension(maker: &mut Maker) -> Piece {
    let (of, show, field) = (maker.large(), maker.value(), maker.small());
    one(
        format!(
            "#[derive(Clone)] pub struct {of} {{ {field}: i64 }}
            impl {of} {{ pub fn to_string(&mut self) -> i64 {{ self.{field} += 1; self.{field} }} }}
            impl std::fmt::Display for {of} {{ fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {{ write!(f, \"shown\") }} }}
            pub fn {show}() -> String {{ let mut it = {of} {{ {field}: 5 }}; format!(\"{{}} {{}} {{}}\", it.to_string(), {of}::to_string(&mut it), it) }}"
        ),
        format!("~{show}()"),
    )
}

fn expression_macro(maker: &mut Maker) -> Piece {
    let (name, show, names) = (maker.macro_name(), maker.value(), maker.smalls(3));
    let (a, b, c) = (&names[0], &names[1], &names[2]);
    let (a_, b_) = (a.trim_start_matches("r#"), b.trim_start_matches("r#"));
    let body = maker.number(std::slice::from_ref(c), 2);
    one(
        format!(
            "macro_rules! {name} {{
                ($first_{a_}:expr $(, $rest_{b_}:expr)* $(,)?) => {{{{ let mut {a} = $first_{a_}; $(if $rest_{b_} > {a} {{ {a} = $rest_{b_}; }})* {a} }}}};
                (@twice $name:ident = $value:expr; $then:expr) => {{{{ let $name = $value * 2; $then }}}};
            }}
            pub fn {show}({a}: i64) -> i64 {{ let {c} = {a}; {name}!({a}, {body}, {name}!(3, {c},),) + {name}!(@twice {b} = {c}; {b} + {c}) }}"
        ),
        format!("~{show}({})", maker.rng.below(30)),
    )
}

fn item_macro(maker: &mut Maker) -> Piece {
    let (name, of, fields, methods) = (maker.macro_name(), maker.large(), maker.smalls(2), maker.smalls(2));
    let (show, limit) = (maker.value(), maker.constant());
    let (a, b) = (&fields[0], &fields[1]);
    let (x, y) = (&methods[0], &methods[1]);
    one(
        format!(
            "pub struct {of} {{ {a}: i64, {b}: i64 }}
            macro_rules! {name} {{ ($($name:ident => $field:ident),+ ; $limit:ident = $value:literal) => {{
                impl {of} {{ $(pub fn $name(&self) -> i64 {{ self.$field + $limit }})+ }}
                const $limit: i64 = $value;
            }} }}
            {name}!({x} => {a}, {y} => {b}; {limit} = 1_000);
            pub fn {show}() -> i64 {{ let it = {of} {{ {a}: 1, {b}: 20 }}; it.{x}() * 3 + it.{y}() }}"
        ),
        format!("~{show}()"),
    )
}

fn texts(maker: &mut Maker) -> Piece {
    let (show, names) = (maker.value(), maker.smalls(3));
    let [a, b, c] = [0, 1, 2].map(|at: usize| names[at].trim_start_matches("r#").to_string());
    let (text, other) = (maker.text(), maker.text());
    let [ra, rb, rc] = [0, 1, 2].map(|at: usize| &names[at]);
    one(
        format!(
            "pub fn {show}() -> String {{
                let {ra} = {text}; let {rb} = 12usize; let {rc} = 2.0 * 1.25;
                let all_lines = format!(\"{{{a}:>{b}$}}|{{{c}:.1}}|{{0}}{{{{{a}}}}}|{{value_:?}}\", {other}, value_ = {rb});
                all_lines + &format!(\"{{}}{{1}} {{{c}:{b}$.2}}\", '\\'', b'{{') + concat!(\"{a}\", 1, {text})
            }}"
        ),
        format!("~{show}()"),
    )
}

fn lifetimes(maker: &mut Maker) -> Piece {
    let (of, show, field, life) = (maker.large(), maker.value(), maker.small(), maker.lifetime());
    let parameter = maker.parameter(&[&of]);
    let pick = maker.value();
    let text = maker.text();
    one(
        format!(
            "pub struct {of}<{life}, {parameter}: ?Sized> {{ {field}: &{life} {parameter} }}
            impl<{life}, {parameter}: AsRef<str> + ?Sized> {of}<{life}, {parameter}> {{
                pub fn words(&self) -> impl Iterator<Item = &{life} str> + {life} {{ self.{field}.as_ref().split(' ') }}
            }}
            fn {pick}<{life}>({field}: &{life} str, other: &{life} str) -> &{life} str {{ if {field}.len() < other.len() {{ {field} }} else {{ other }} }}
            pub fn {show}() -> String {{ let {field} = {text}; {of} {{ {field} }}.words().fold(String::new(), |all, word| all + self::{pick}(word, \"four\")) }}"
        ),
        format!("~{show}()"),
    )
}

fn iterator(maker: &mut Maker) -> Piece {
    let (of, show, field) = (maker.large(), maker.value(), maker.small());
    let (a, step) = (maker.small(), maker.rng.below(5) + 1);
    let body = maker.number(std::slice::from_ref(&a), 2);
    one(
        format!(
            "pub struct {of} {{ {field}: i64 }}
            impl Iterator for {of} {{
                type Item = i64;
                fn next(&mut self) -> Option<i64> {{ self.{field} -= {step}; (self.{field} > 0).then(|| self.{field}) }}
            }}
            impl {of} {{ fn count(&self) -> i64 {{ self.{field} }} }}
            pub fn {show}() -> String {{
                let n = {of} {{ {field}: 20 }}.count() as i64;
                let all: Vec<i64> = {of} {{ {field}: n }}.map(|{a}| {body}).filter(|{a}| *{a} != 3).take(5).collect();
                format!(\"{{all:?}} {{}}\", {of} {{ {field}: 9 }}.by_ref().sum::<i64>())
            }}"
        ),
        format!("~{show}()"),
    )
}

fn const_generics(maker: &mut Maker) -> Piece {
    let (of, size, show, field) = (maker.large(), maker.constant(), maker.value(), maker.small());
    one(
        format!(
            "#[derive(Clone, Copy)] pub struct {of}<const {size}: usize>([i64; {size}]);
            impl<const {size}: usize> Default for {of}<{size}> {{ fn default() -> Self {{ {of}([{size} as i64; {size}]) }} }}
            impl<const {size}: usize> std::ops::Index<usize> for {of}<{size}> {{ type Output = i64; fn index(&self, {field}: usize) -> &i64 {{ &self.0[{field} % {size}] }} }}
            pub fn {show}() -> i64 {{ let {field} = {of}::<3>::default(); {field}[7] + {of}::<{{ 1 + 1 }}>::default()[0] + ({field},).0.0.len() as i64 }}"
        ),
        format!("~{show}()"),
    )
}

fn nested(maker: &mut Maker) -> Piece {
    let (outer, inner, names) = (maker.value(), maker.small(), maker.smalls(3));
    let (own, deep, renamed) = (&names[0], &names[1], &names[2]);
    let base = maker.value();
    let show = maker.value();
    one(
        format!(
            "fn {base}() -> i64 {{ 16 }}
            pub mod {outer} {{
                use super::{base} as of_parent;
                pub(in super::{outer}) fn {own}() -> i64 {{ of_parent() + self::{inner}::{deep}() }}
                pub mod {inner} {{
                    pub fn {deep}() -> i64 {{ super::super::{base}() * 3 }}
                    pub(super) fn hidden() -> i64 {{ 5 }}
                    #[test] fn test() {{ broken!() }}
                }}
                pub use self::{inner}::{deep} as {renamed}_again;
                pub fn all() -> i64 {{ {own}() * 100 + {inner}::hidden() }}
            }}
            use {outer}::all as {show};
            pub use {outer}::{{{renamed}_again, {inner}::*}};
            pub fn shown{show}() -> i64 {{ {show}() + {renamed}_again() }}"
        )
        .replace(&format!("shown{show}"), &format!("shown_{}", show.trim_start_matches("r#")))
        .replace(&format!("{renamed}_again"), &format!("{}_again", renamed.trim_start_matches("r#"))),
        format!("~shown_{}()", show.trim_start_matches("r#")),
    )
}

/// Names that a glob import brings into scope.
fn orderings(maker: &mut Maker) -> Piece {
    let (show, names) = (maker.value(), maker.smalls(2));
    let (a, b) = (&names[0], &names[1]);
    one(
        format!(
            "pub fn {show}({a}: i64) -> i64 {{
                use std::cmp::Ordering::*;
                let {b} = 5;
                match {a}.cmp(&{b}) {{ Less => 1, Equal => 2, Greater => {a} }}
            }}"
        ),
        format!("~{show}(3) * 100 + ~{show}(5) * 10 + ~{show}(9)"),
    )
}

fn smart_pointer(maker: &mut Maker) -> Piece {
    let (of, show, field) = (maker.large(), maker.value(), maker.small());
    let method = ["len", "iter_", "last", "pop"][maker.rng.index(4)];
    one(
        format!(
            "pub struct {of} {{ {field}: Vec<i64> }}
            impl std::ops::Deref for {of} {{ type Target = Vec<i64>; fn deref(&self) -> &Vec<i64> {{ &self.{field} }} }}
            impl {of} {{ fn {method}(&self) -> i64 {{ 77 }} }}
            pub fn {show}() -> String {{ let it = {of} {{ {field}: vec![1, 2] }}; format!(\"{{}} {{:?}} {{}}\", it.{method}(), it.first(), (*it).len()) }}"
        ),
        format!("~{show}()"),
    )
}

fn dropped(maker: &mut Maker) -> Piece {
    let (of, show, field) = (maker.large(), maker.value(), maker.small());
    one(
        format!(
            "struct {of} {{ {field}: &'static str }}
            impl Drop for {of} {{ fn drop(&mut self) {{ println!(\"dropped {{}}\", self.{field}) }} }}
            pub fn {show}() -> &'static str {{ let {field} = {of} {{ {field}: \"first\" }}; let _ = {of} {{ {field}: \"second\" }}; let _kept = {of} {{ {field}: \"third\" }}; {field}.{field} }}"
        ),
        format!("~{show}()"),
    )
}

fn closures(maker: &mut Maker) -> Piece {
    let (apply, make, parameter, show) = (maker.value(), maker.value(), maker.parameter(&[]), maker.value());
    let names = maker.smalls(2);
    let (a, b) = (&names[0], &names[1]);
    let body = maker.number(&names, 3);
    one(
        format!(
            "fn {apply}<{parameter}>(f: {parameter}, {a}: i64) -> i64 where {parameter}: Fn(i64) -> i64 {{ f({a}) }}
            fn {make}({a}: i64) -> impl Fn(i64) -> i64 {{ move |{b}| {body} }}
            fn boxed{show}({a}: i64) -> Box<dyn FnMut() -> i64> {{ let mut {b} = {a}; Box::new(move || {{ {b} += 1; {b} }}) }}
            pub fn {show}() -> i64 {{ let mut counter = boxed{show}(3); counter(); {apply}({make}(4), 5) ^ {apply}(|{a}| {a} - -1, 2) ^ counter() }}"
        )
        .replace(&format!("boxed{show}"), &format!("boxed_{}", show.trim_start_matches("r#"))),
        format!("~{show}()"),
    )
}
