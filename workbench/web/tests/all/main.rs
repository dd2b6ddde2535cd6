//! The web app over HTTP and in a browser.

mod attacks;
mod battles;
mod boards;
mod browser;
mod clicks;
mod common;
mod external;
mod load;
mod reach;
mod speed;
mod verdicts;
