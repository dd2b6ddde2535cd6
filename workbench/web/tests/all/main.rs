//! The web app over HTTP and in a browser.

mod attacks;
mod battles;
mod boards;
mod browser;
mod clicks;
mod common;
mod external;
mod judged;
mod leagues;
mod load;
mod matches;
mod reach;
mod replay;
mod runs;
mod speed;
mod summaries;
mod verdicts;
