pub const CORE: &str = include_str!("text.txt");
pub static BYTES: &[u8; 6] = include_bytes!("bytes.bin");
pub fn both() -> (usize, u32) {
    (CORE.chars().count(), BYTES.iter().map(|&byte| u32::from(byte)).sum())
}
