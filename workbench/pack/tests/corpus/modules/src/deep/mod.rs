pub mod inner;
pub use inner::{core::CORE, Value};
pub fn unused_one() {}
