//! The web app over HTTP and in a browser.

mod attacks;
mod browser;
mod clicks;
mod common;
mod load;
mod reach;
mod speed;
