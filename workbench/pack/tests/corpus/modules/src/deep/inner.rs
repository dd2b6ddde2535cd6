pub mod core;
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "quiet", derive(Missing))]
#[cfg_attr(feature = "loud", derive(Default))]
pub struct Value(pub u8, #[cfg(test)] pub u8);
