//! Modules in all possible places.
#![allow(clippy::all)]

pub mod deep;
#[path = "elsewhere/odd-name.rs"]
pub mod odd;
pub mod r#loop;
mod secret;

pub use deep::*;
pub use secret::{Hidden as Shown, *};

#[cfg(feature = "loud")]
pub const VOICE: &str = "loud";
#[cfg(not(feature = "loud"))]
pub const VOICE: &str = "soft";
#[cfg(all(feature = "quiet", unix))]
pub const VOICE: &str = "quiet";

pub mod outer {
    pub mod inner {
        pub(in crate::outer) fn told() -> &'static str {
            super::super::VOICE
        }
        pub(super) use self::told as again;
    }
    pub fn tell() -> String {
        format!("{}{}", inner::told(), inner::again())
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn nothing() {}
}
