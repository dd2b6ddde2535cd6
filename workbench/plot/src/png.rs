//! Conversion of pictures to bitmaps.

use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// Converts a picture of this crate to a PNG file with a white background and `scale` pixels per SVG pixel. Text is set
/// in a sans-serif font of the system, so the bytes depend on the installed fonts.
///
/// # Errors
/// Returns an error if the text is not SVG, if the scale is not positive, or if the picture is too large for memory.
pub fn png(svg: &str, scale: f32) -> Result<Vec<u8>, String> {
    let mut options = Options::default();
    options.fontdb_mut().load_system_fonts();
    let is_there = |family: &str| {
        let family = [resvg::usvg::fontdb::Family::Name(family)];
        options
            .fontdb
            .query(&resvg::usvg::fontdb::Query { families: &family, ..Default::default() })
            .is_some()
    };
    let known = ["DejaVu Sans", "Liberation Sans", "Noto Sans", "Arial", "Helvetica"];
    if let Some(family) = known.into_iter().find(|family| is_there(family)) {
        options.fontdb_mut().set_sans_serif_family(family);
    }
    let tree = Tree::from_str(svg, &options).map_err(|error| format!("not a picture: {error}"))?;
    let [width, height] = [tree.size().width(), tree.size().height()].map(|side| (side * scale).ceil());
    let within = (1.0..=16_384.0).contains(&width) && (1.0..=65_536.0).contains(&height);
    let pixels = within.then(|| Pixmap::new(width as u32, height as u32)).flatten();
    let mut pixels =
        pixels.ok_or_else(|| format!("a picture of {width} by {height} pixels cannot be created"))?;
    pixels.fill(Color::WHITE);
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_bitmap_of_a_picture() {
        let bytes = super::png(&crate::canvas::nothing("title"), 2.0).unwrap();
        assert!(bytes.starts_with(b"\x89PNG"));
        assert!(
            super::png("<svg", 1.0).is_err() && super::png(&crate::canvas::nothing(""), f32::NAN).is_err()
        );
    }
}
