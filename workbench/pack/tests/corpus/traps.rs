//! Names that are difficult to shorten. The whole output must stay the same.

use std::collections::HashMap;
use std::fmt;
use std::ops::{Add, Index, Neg};

/// Its methods have the names of standard library methods.
struct Stack<element> {
    items: Vec<element>,
}

#[allow(non_camel_case_types)]
type element = u8;

impl<item: Copy + fmt::Display> Stack<item> {
    fn push(&mut self, item: item) -> &mut Self {
        self.items.push(item);
        self
    }

    fn len(&self) -> usize {
        self.items.len() + 100
    }

    fn total<'item>(&'item self) -> String
    where
        item: 'item,
    {
        let mut text = String::new();
        'items: for (index, item) in self.items.iter().enumerate() {
            if index == 3 {
                break 'items;
            }
            text += &format!("{item}-{index:>2}|");
        }
        text
    }
}

#[derive(Clone, Copy, PartialEq, PartialOrd, Default)]
struct Point {
    x: i32,
    y: i32,
}

impl Add for Point {
    type Output = Point;
    fn add(self, other: Point) -> Point {
        let Point { x, y } = other;
        Point { x: self.x + x, y: self.y - -y }
    }
}

impl Neg for Point {
    type Output = Point;
    fn neg(self) -> Point {
        Point { x: -self.x, ..self }
    }
}

impl Index<usize> for Point {
    type Output = i32;
    fn index(&self, index: usize) -> &i32 {
        match index {
            0 => &self.x,
            _ => &self.y,
        }
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{x}, {y}>", x = self.x, y = self.y)
    }
}

/// A countdown with a `next` of its own and the standard one.
struct Countdown(u32);

impl Iterator for Countdown {
    type Item = u32;
    fn next(&mut self) -> Option<u32> {
        self.0 = self.0.checked_sub(1)?;
        Some(self.0)
    }
}

trait Shape {
    const SIDES: u32;
    fn name(&self) -> String;
    fn describe(&self) -> String {
        format!("{} with {} sides", self.name(), Self::SIDES)
    }
}

struct Square;
struct Ring<const WIDTH: usize>;

impl Shape for Square {
    const SIDES: u32 = 4;
    fn name(&self) -> String {
        "a square, not struct Square { x }".to_string()
    }
}

impl<const WIDTH: usize> Shape for Ring<WIDTH> {
    const SIDES: u32 = 0;
    fn name(&self) -> String {
        format!("a ring of {WIDTH}")
    }
}

macro_rules! largest {
    ($first:expr $(, $rest:expr)* $(,)?) => {{
        let mut largest = $first;
        $(if $rest > largest { largest = $rest; })*
        largest
    }};
}

macro_rules! getter {
    ($name:ident, $field:ident) => {
        impl Point {
            fn $name(&self) -> i32 {
                self.$field
            }
        }
    };
}

getter!(get_x, x);
getter!(get_y, y);

mod inner {
    pub mod deeper {
        pub fn value() -> i32 {
            super::value() * 2
        }
        pub const VALUE: i32 = 5;
    }
    fn value() -> i32 {
        self::deeper::VALUE + 16
    }
    pub use deeper::value as doubled;
}

static GREETING: &str = "fn main() { let x = 1; } // é ü 漢字 \u{1F600} \"quoted\" \\";
const LIMITS: [f64; 3] = [1., 2.5e-3, 0.];

enum Tree {
    Leaf(i64),
    Node { left: Box<Tree>, right: Box<Tree> },
}

impl Tree {
    fn sum(&self) -> i64 {
        match self {
            Tree::Leaf(value @ 0..=9) => *value,
            Tree::Leaf(value) => -value,
            Tree::Node { left, right } => left.sum() + right.sum(),
        }
    }
}

fn apply<F>(f: F, value: i32) -> i32
where
    F: Fn(i32) -> i32,
{
    f(value)
}

fn r#match(r#type: u8) -> u8 {
    r#type << 1
}

#[derive(Debug, Clone, Copy)]
enum Direction {
    Left { steps: i32 },
    Right(u8),
}

macro_rules! named {
    ($value:ident) => {
        println!("{} is {:?}", stringify!($value), $value)
    };
}

/// Methods on standard library types that these types also have. The types' own methods take precedence.
trait Measured {
    fn len(&self) -> &'static str;
}

impl Measured for Vec<i32> {
    fn len(&self) -> &'static str {
        "measured"
    }
}

/// Names that a glob import brings into scope.
fn compared(number: i32) -> &'static str {
    use std::cmp::Ordering::*;
    match number.cmp(&3) {
        Less => "less",
        Equal => "equal",
        Greater => "greater",
    }
}

fn main() {
    let (here, there) = (Direction::Left { steps: 4 }, Direction::Right(2));
    named!(here);
    println!("{there:?} {:?}", stringify!(Stack<element>));
    let numbers: Vec<i32> = vec![1, 2];
    println!("{} {} {}", numbers.len(), Measured::len(&numbers), compared(3));
    let mut stack = Stack { items: Vec::new() };
    stack.push(7).push(8).push(9).push(10);
    println!("{} {}", stack.len(), stack.total());
    let (x, y) = (3, 4);
    let point = Point { x, y } + -Point { x: 1, ..Default::default() };
    println!("{point} {} {} {} {}", point[0], point[1], point.get_x(), point.get_y());
    println!("{:?}", Countdown(4).map(|count| count * 2).collect::<Vec<_>>());
    println!("{}; {}", Square.describe(), Ring::<3>.describe());
    println!("{} {}", largest!(3, 9, 4), largest!(1.5, 0.5));
    println!("{} {}", inner::doubled(), inner::deeper::VALUE);
    println!("{GREETING} {0} {limit:.3}", LIMITS[0].max(2.), limit = LIMITS[1]);
    let tree = Tree::Node {
        left: Box::new(Tree::Leaf(5)),
        right: Box::new(Tree::Node { left: Box::new(Tree::Leaf(12)), right: Box::new(Tree::Leaf(1)) }),
    };
    println!("{}", tree.sum());
    let offset = 10;
    let nested = |x: i32| move |y: i32| x + y - offset;
    println!("{} {}", apply(|value| value - -1, 5), apply(nested(20), 2));
    println!("{} {:?} {:?}", r#match(4), b"by\x01tes", br#"ra"w"#);
    let mut counts: HashMap<char, usize> = HashMap::new();
    for letter in "hello".chars() {
        *counts.entry(letter).or_insert(0) += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort();
    println!("{counts:?}");
    let both = x > 2 && y > 2 || !(x < y);
    let reference = &&x;
    println!("{both} {} {}", **reference, if let Some(2..=5) = Some(y) { 'y' } else { '\'' });
    let value = 'outer: loop {
        let mut value = 0;
        loop {
            value += 1;
            if value == 7 {
                break 'outer value;
            }
        }
    };
    println!("{value}");
}
