use modules as library;
use modules::{self, Shown, Value};

fn main() {
    let shown: Shown = modules::größe(3);
    println!("{:?} {} {}", Value::default(), shown.x, library::outer::tell());
    println!("{} {:?} {}", modules::CORE, modules::deep::inner::core::both(), modules::odd::odd());
    println!("{} {}", library::r#loop::r#match(1), library::r#loop::r#match(3));
    let word = match shown.x {
        #[cfg(feature = "quiet")]
        3 => "quiet",
        #[cfg(not(feature = "quiet"))]
        3 => "three",
        _ => "other",
    };
    // Conditions in the tokens of a macro are also decided.
    println!("{word} {} {}", cfg!(feature = "loud"), if cfg!(not(all(unix, feature = "loud"))) { "soft" } else { "loud" });
}
