pub struct Hidden {
    #[cfg(feature = "loud")]
    pub x: i32,
    #[cfg(feature = "quiet")]
    pub y: i32,
}
pub fn größe(ß: i32) -> Hidden {
    Hidden {
        #[cfg(feature = "loud")]
        x: ß,
        #[cfg(feature = "quiet")]
        y: 1,
    }
}
