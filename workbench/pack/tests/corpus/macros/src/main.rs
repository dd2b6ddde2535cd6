use kit::{make_struct, Named as _};

macro_rules! functions {
    ($($name:ident => $value:expr),* $(,)?) => { $(fn $name() -> i32 { $value })* };
}

functions! { one => 1, two => kit::plus_seven!(2) }

make_struct!(Thing { a: i32, r#type: String });

mod inside {
    use ::kit::numbers;

    pub fn value() -> i32 {
        numbers::seven() * ::kit::plus_seven!(1)
    }
}

fn main() {
    let kit = Thing { a: one() + two(), r#type: "kit::numbers::seven()".into() };
    println!("{kit:?} {} {}", kit.greeting(), inside::value());
    println!("{} {}", env!("CARGO_PKG_VERSION"), env!("CARGO_PKG_NAME"));
    println!("{}", vec![kit::numbers::seven(); 3].iter().map(|x| kit::plus_seven!(*x)).sum::<i32>());
}
