//! The scripts and styles of the pages. The files are part of the program, so the app also works offline.

use crate::App;
use axum::Router;
use axum::http::{HeaderValue, header};
use axum::middleware::map_response;
use axum::response::Response;
use axum::routing::get;
use contender_plot::board;
use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, LazyLock};

/// Contender's mark.
pub const MARK: &str = include_str!("../assets/mark.svg");

const STYLE: &str = concat!(
    include_str!("../assets/style/tokens.css"),
    include_str!("../assets/style/base.css"),
    include_str!("../assets/style/parts.css"),
    include_str!("../assets/style/charts.css"),
    include_str!("../assets/style/game.css"),
    include_str!("../assets/style/pages.css"),
    include_str!("../assets/style/leagues.css"),
);

/// The text face Inter (SIL Open Font License, see `assets/inter/OFL.txt`), all weights, Latin letters. The file is
/// `inter-latin-wght-normal.woff2` of the npm package `@fontsource-variable/inter` 5.3.0, with the SHA-256
/// 3100e775e8616cd2611beecfa23a4263d7037586789b43f035236a2e6fbd4c62.
const FACE: &[u8] = include_bytes!("../assets/inter/inter.woff2");

/// Least and greatest ratio of a board with a style, in percent.
const RATIOS: [usize; 2] = [40, 300];

/// Address, media type and text of every file.
const FILES: [(&str, &str, &str); 23] = [
    ("/style.css", "text/css", STYLE),
    ("/mark.svg", "image/svg+xml", MARK),
    ("/theme.js", "text/javascript", include_str!("../assets/theme.js")),
    ("/app.js", "text/javascript", include_str!("../assets/app.js")),
    ("/palette.js", "text/javascript", include_str!("../assets/palette.js")),
    ("/home.js", "text/javascript", include_str!("../assets/home.js")),
    ("/back.js", "text/javascript", include_str!("../assets/back.js")),
    ("/analyse.js", "text/javascript", include_str!("../assets/analyse.js")),
    ("/live.js", "text/javascript", include_str!("../assets/live.js")),
    ("/league.js", "text/javascript", include_str!("../assets/league.js")),
    ("/games.js", "text/javascript", include_str!("../assets/games.js")),
    ("/match.js", "text/javascript", include_str!("../assets/match.js")),
    ("/chart.js", "text/javascript", include_str!("../assets/chart.js")),
    ("/graph.js", "text/javascript", include_str!("../assets/graph.js")),
    ("/pick.js", "text/javascript", include_str!("../assets/pick.js")),
    ("/ghost.js", "text/javascript", include_str!("../assets/ghost.js")),
    ("/suggest.js", "text/javascript", include_str!("../assets/suggest.js")),
    ("/forms.js", "text/javascript", include_str!("../assets/forms.js")),
    ("/motion.js", "text/javascript", include_str!("../assets/motion.js")),
    ("/training.js", "text/javascript", include_str!("../assets/training.js")),
    ("/play.js", "text/javascript", include_str!("../assets/play.js")),
    ("/replay.js", "text/javascript", include_str!("../assets/replay.js")),
    ("/viewer.js", "text/javascript", include_str!("../assets/viewer.js")),
];

/// Folder of the files' addresses in pages. Its name changes with the files, so that browsers can keep the files.
static FOLDER: LazyLock<String> = LazyLock::new(|| {
    let mut hasher = DefaultHasher::new();
    (FILES, board_style(), FACE).hash(&mut hasher);
    format!("/assets/{:016x}", hasher.finish())
});

/// Returns the address at which a page loads a file, such as "/style.css". Scripts and styles name other files relative
/// to their own address.
pub fn address(file: &str) -> String {
    format!("{}{file}", *FOLDER)
}

/// Returns the files' routes: in [`FOLDER`], whose files browsers keep, and at fixed addresses.
pub fn routes() -> Router<Arc<App>> {
    let mut files = Router::new()
        .route("/board.css", asset("text/css", board_style().into()))
        .route("/inter.woff2", get(|| async { ([(header::CONTENT_TYPE, "font/woff2")], FACE) }));
    for (address, kind, text) in FILES {
        files = files.route(address, asset(kind, text.into()));
    }
    let keep = (header::CACHE_CONTROL, HeaderValue::from_static("private, max-age=31536000, immutable"));
    let kept = files.clone().layer(map_response(move |answer: Response| {
        let keep = [keep.clone()];
        async move { (keep, answer) }
    }));
    files.nest(&FOLDER, kept)
}

fn asset(kind: &'static str, text: Cow<'static, str>) -> axum::routing::MethodRouter<Arc<App>> {
    get(move || async move { ([(header::CONTENT_TYPE, format!("{kind}; charset=utf-8"))], text) })
}

/// Returns the style of the boards and of the notes below them. It contains the colours of the light and the dark
/// theme, for a user who chose a theme on the page.
fn board_style() -> String {
    let style = board::STYLE;
    let block = |start: &str| {
        let from = style.find(start)? + start.len();
        let length = style[from..].find('}')? + 1;
        Some(format!("svg.board {}", &style[from..from + length]))
    };
    let themes = [("light", "\nsvg.board "), ("dark", "\n  svg.board ")];
    let chosen = themes.map(|(theme, start)| {
        format!(":root[data-theme=\"{theme}\"] {{ {} }}\n", block(start).unwrap_or_default())
    });
    format!("{style}{}", chosen.concat()).replace("svg.board", ":is(svg.board, .notes)") + &shapes()
}

/// Returns the class that gives a board its ratio, limited to the ratios with a style.
pub fn shape(ratio: f64) -> String {
    format!("shape-{}", ((100.0 * ratio).round() as usize).clamp(RATIOS[0], RATIOS[1]))
}

/// Returns the styles with the ratios of boards. The pages allow no styles of single elements.
fn shapes() -> String {
    let rule = |percent: usize| format!(".shape-{percent}{{--ratio:{}}}\n", percent as f64 / 100.0);
    (RATIOS[0]..=RATIOS[1]).map(rule).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chosen theme has the same colours as the system's theme.
    #[test]
    fn boards_follow_the_chosen_theme() {
        let style = board_style();
        let after = |start: &str| style[style.find(start).unwrap()..].chars().take(200).collect::<String>();
        assert!(after(":root[data-theme=\"light\"]").contains("--paper: #ffffff"), "{style}");
        assert!(after(":root[data-theme=\"dark\"]").contains("--paper: #17181c"), "{style}");
    }
}
