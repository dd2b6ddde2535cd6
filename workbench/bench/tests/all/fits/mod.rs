//! Every search on every game whose traits fit, with real positions.
//!
//! Exact searches, with every combination of switches, are equal to plain minimax or expectimax. The other searches
//! keep their own guarantees.

mod alpha_beta;
mod cellularena;
mod games;
mod guides;
mod open_loop;
mod proofs;
mod simultaneous;

use alpha_beta::search;
use cellularena::InOrder;
use games::{Entropy, OpenBox, Spaghetti, Uttt};
use open_loop::{information_sets, open_loop};
use proofs::{best_first, tree};
use simultaneous::{decoupled, matrices};

#[test]
fn every_search_runs_on_every_game_that_fits() {
    search::<Entropy>();
    search::<Uttt>();
    search::<Spaghetti>();
    search::<OpenBox>();
    search::<InOrder>();

    // Best-first search has no chance nodes.
    best_first::<Uttt>();
    best_first::<Spaghetti>();
    best_first::<InOrder>();

    tree::<Entropy>();
    tree::<Uttt>();
    tree::<Spaghetti>();
    tree::<OpenBox>();
    tree::<InOrder>();

    open_loop::<Entropy>();
    open_loop::<Uttt>();
    open_loop::<Spaghetti>();
    open_loop::<OpenBox>();
    open_loop::<InOrder>();
    // Only Box hides something.
    information_sets();

    // Only in Cellularena do both players act at once.
    matrices();
    decoupled();
}
