//! Battles of made-up players with the site's keys: read, broken, played again by a stand-in for a challenge's referee.

mod broken;
mod fetched;
mod forms;
mod made;
mod ours;
mod played;
mod reported;
