//! Data that is packed as text.

mod inner {
    use contender_nn::include_data;

    pub fn size() -> usize {
        include_data!("../Cargo.toml").len()
    }
}

fn main() {
    let data = contender_nn::include_data!("../Cargo.toml");
    println!("{} {}", inner::size(), String::from_utf8_lossy(&data));
}
