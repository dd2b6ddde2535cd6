pub mod beside;
pub fn odd() -> i32 {
    beside::number() + include!("number.in")
}
