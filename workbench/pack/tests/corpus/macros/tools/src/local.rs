macro_rules! seven_of {
    ($x:literal) => {
        crate::local::same($x)
    };
}

pub(crate) fn same(x: i32) -> i32 {
    x
}
