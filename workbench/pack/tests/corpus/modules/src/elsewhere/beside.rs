pub fn number() -> i32 { if cfg!(feature = "loud") { 20 } else { 30 } }
