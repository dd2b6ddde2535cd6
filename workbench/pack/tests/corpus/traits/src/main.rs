#![allow(non_snake_case)]

use std::collections::BTreeMap;
use std::fmt;
use std::ops::{Add, Index};

trait Shape {
    const SIDES: u32;
    type Unit: fmt::Display + Default;
    fn area(&self) -> f64;
    fn never(&self) -> f64 {
        0.0
    }
    fn unit(&self) -> Self::Unit {
        Self::Unit::default()
    }
}

trait Loud {
    fn say(&self) -> String;
}

trait Dead {
    fn dead(&self);
}

struct Square(f64);
struct Round {
    r: f64,
}
struct Unmade;

impl Shape for Square {
    const SIDES: u32 = 4;
    type Unit = i32;
    fn area(&self) -> f64 {
        self.0 * self.0
    }
    fn never(&self) -> f64 {
        1.0
    }
}

impl Shape for Round {
    const SIDES: u32 = 0;
    type Unit = String;
    fn area(&self) -> f64 {
        self.r * self.r * 3.0
    }
}

impl<T: Shape> Loud for T
where
    T::Unit: fmt::Display,
{
    fn say(&self) -> String {
        format!("{} sides, area {:.1}, `{}`", T::SIDES, self.area(), self.unit())
    }
}

impl Dead for Unmade {
    fn dead(&self) {
        let _ = Square(1.0).never();
    }
}

impl Dead for Square {
    fn dead(&self) {}
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Grid<const W: usize, T>([T; W]);

impl<const W: usize, T: Copy + Add<Output = T>> Add for Grid<W, T> {
    type Output = Self;
    fn add(mut self, other: Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a = *a + b);
        self
    }
}

impl<const W: usize, T> Index<char> for Grid<W, T> {
    type Output = T;
    fn index(&self, at: char) -> &T {
        &self.0[at as usize - 'a' as usize]
    }
}

impl Drop for Round {
    fn drop(&mut self) {
        println!("dropped {}", self.r);
    }
}

// A lifetime and a type parameter with the same name, and an outer type with that name.
struct T;
#[allow(non_camel_case_types)]
struct Pair<'T, T>(&'T T, &'T str);
impl<'T, T: fmt::Debug> Pair<'T, T> {
    fn show(&self) -> String {
        let 'r' = 'r' else { unreachable!() };
        format!("{:?}{}", self.0, self.1)
    }
}

mod shadow {
    pub fn value() -> &'static str {
        "function"
    }
    pub mod value {
        pub const VALUE: &str = "module";
    }
    pub struct Option(pub i32);
}

/// Types that are named but never constructed. The compiler reports them as dead, but live code needs them.
struct Ghost;
enum Never {}
trait Kind {
    const NAME: &'static str;
}
impl Kind for Ghost {
    const NAME: &'static str = "ghost";
}
fn name_of<K: Kind>() -> &'static str {
    K::NAME
}
fn infallible(x: i32) -> Result<i32, Never> {
    Ok(x)
}
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mixed {
    Made,
    Unmade { unread: u8 },
}
struct Half {
    read: i32,
    unread: i32,
}
impl Half {
    fn unread_only(&self) -> i32 {
        self.unread
    }
}

fn main() {
    println!("{}", reader::live());
    fn local_dead() {}
    fn local() -> i32 {
        const INNER: i32 = 5;
        INNER
    }
    let half = Half { read: local(), unread: 3 };
    println!("{} {} {}", name_of::<Ghost>(), infallible(3).unwrap_or(4), half.read);
    match Mixed::Made {
        Mixed::Made => println!("{:?}", Mixed::Made),
        Mixed::Unmade { unread } => println!("{unread}"),
    }
    let shapes: Vec<Box<dyn Loud>> = vec![Box::new(Square(2.0)), Box::new(Round { r: 1.0 })];
    for shape in &shapes {
        println!("{}", shape.say());
    }
    let grid = Grid([1, 2, 3]) + Grid([10, 20, 30]);
    println!("{grid:?} {}", grid['b']);
    let _ = T;
    println!("{}", Pair(&Some(1), "// not a comment /* nor this */ \" fn main() {").show());
    let value = shadow::value();
    println!("{value} {} {}", shadow::value::VALUE, shadow::Option(3).0);
    let mut counts: BTreeMap<char, usize> = BTreeMap::new();
    for letter in r#"räuber "x" 'y"#.chars() {
        *counts.entry(letter).or_default() += 1;
    }
    println!("{counts:?}");
}

/// A re-exported function that is never called, with the same name as its private module.
mod facade {
    mod reading {
        pub fn reading() -> u32 {
            1
        }
        pub fn other() -> u32 {
            2
        }
    }
    pub use reading::{other, reading};
}

mod reader {
    use super::facade::reading;
    pub fn dead_reader() -> u32 {
        reading()
    }
    pub fn live() -> u32 {
        let reading = super::facade::other();
        reading
    }
}
