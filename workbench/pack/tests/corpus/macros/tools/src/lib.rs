//! Macros that are used in another crate.

#[macro_use]
mod local;

pub mod numbers {
    pub fn seven() -> i32 {
        seven_of!(7)
    }

    pub fn unused() -> i32 {
        8
    }
}

/// Names items in its own crate when it is used in another one.
#[macro_export]
macro_rules! plus_seven {
    ($x:expr) => {
        $x + $crate::numbers::seven()
    };
}

#[macro_export]
macro_rules! make_struct {
    ($name:ident { $($field:ident : $kind:ty),* }) => {
        #[derive(Debug, Default, Clone)]
        pub struct $name { $(pub $field: $kind),* }
        impl $crate::Named for $name {
            const NAME: &'static str = stringify!($name);
        }
    };
}

#[macro_export]
macro_rules! never_used {
    () => {
        $crate::numbers::unused()
    };
}

pub trait Named {
    const NAME: &'static str;

    fn greeting(&self) -> String {
        format!("crate::{}", Self::NAME)
    }

    fn nobody_calls(&self) -> i32 {
        0
    }
}
