//! Pictures as PNG. Texts are drawn with the fonts of the folder alone, so that a picture is the same on
//! every machine.

use std::sync::{Arc, LazyLock};

use resvg::{
    tiny_skia::{Pixmap, Transform},
    usvg::{Options, Tree, fontdb::Database},
};

/// The fonts of `font/LICENSE`, with the signs of Latin, Greek, Cyrillic, Hebrew and Arabic scripts.
static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut fonts = Database::new();
    fonts.load_font_data(include_bytes!("font/plain.ttf").to_vec());
    fonts.load_font_data(include_bytes!("font/bold.ttf").to_vec());
    fonts.set_sans_serif_family("DejaVu Sans");
    Arc::new(fonts)
});

/// Renders an SVG picture at a width in pixels. Returns `None` for a picture that is not valid.
pub fn png(svg: &str, width: u32) -> Option<Vec<u8>> {
    let options = Options { fontdb: Arc::clone(&FONTS), ..Options::default() };
    let tree = Tree::from_str(svg, &options).ok()?;
    let size = tree.size().to_int_size().scale_to_width(width)?;
    let scale = size.to_size().width() / tree.size().width();
    let mut pixels = Pixmap::new(size.width(), size.height())?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_has_its_texts_on_every_machine() {
        let with = |text: &str| {
            let svg = format!(
                r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 40"><text x="4" y="30" font-size="24" font-family="sans-serif">{text}</text></svg>"#
            );
            png(&svg, 80).unwrap()
        };
        assert!(with("Ada").starts_with(b"\x89PNG"));
        assert_ne!(with("Ada"), with(""));
        assert_ne!(with("Ада"), with("Ода"));
        assert_eq!(png("<svg", 80), None);
    }
}
