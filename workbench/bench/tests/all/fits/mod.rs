//! Every search on every game whose traits fit, with real positions. If a search does not fit a game, the table shows
//! the reason.
//!
//! Exact searches, with every combination of switches, are equal to plain minimax or expectimax. The other searches
//! keep their own guarantees.

mod alpha_beta;
mod cellularena;
mod games;
mod open_loop;
mod proofs;
mod simultaneous;

use Fit::{Not, Runs};
use alpha_beta::{layers, search};
use cellularena::InOrder;
use games::{Entropy, OpenBox, Spaghetti, Uttt};
use open_loop::{information_sets, open_loop};
use proofs::{best_first, tree};
use simultaneous::{decoupled, matrices};

/// A cell of the table: the check, or the reason why there is none.
enum Fit {
    Runs(fn()),
    Not(&'static str),
}

const SEARCHES: [&str; 8] = [
    "Search",
    "layers",
    "best_first",
    "Mcts",
    "OpenLoop",
    "OpenLoop with information sets",
    "MatrixTree",
    "Decoupled",
];

/// Returns the table, with the columns of `SEARCHES`.
fn table() -> [(&'static str, [Fit; 8]); 6] {
    [
        (
            "Entropy",
            [
                Runs(search::<Entropy>),
                Runs(layers::<Entropy>),
                Not("chance"),
                Runs(tree::<Entropy>),
                Runs(open_loop::<Entropy>),
                Not("nothing is hidden"),
                Not("in turn"),
                Not("in turn"),
            ],
        ),
        (
            "Ultimate tic-tac-toe",
            [
                Runs(search::<Uttt>),
                Not("no chance"),
                Runs(best_first::<Uttt>),
                Runs(tree::<Uttt>),
                Runs(open_loop::<Uttt>),
                Not("nothing is hidden"),
                Not("in turn"),
                Not("in turn"),
            ],
        ),
        (
            "Spaghetti",
            [
                Runs(search::<Spaghetti>),
                Not("no chance"),
                Runs(best_first::<Spaghetti>),
                Runs(tree::<Spaghetti>),
                Runs(open_loop::<Spaghetti>),
                Not("nothing is hidden"),
                Not("in turn"),
                Not("in turn"),
            ],
        ),
        (
            "Box",
            [
                Not("hidden colours"),
                Not("hidden colours"),
                Not("hidden colours"),
                Not("hidden colours"),
                Not("hidden colours"),
                Runs(information_sets),
                Not("in turn"),
                Not("in turn"),
            ],
        ),
        (
            "Box with known colours",
            [
                Runs(search::<OpenBox>),
                Runs(layers::<OpenBox>),
                Not("chance"),
                Runs(tree::<OpenBox>),
                Runs(open_loop::<OpenBox>),
                Not("nothing is hidden"),
                Not("in turn"),
                Not("in turn"),
            ],
        ),
        (
            "Cellularena",
            [
                Runs(search::<InOrder>),
                Not("no chance"),
                Runs(best_first::<InOrder>),
                Runs(tree::<InOrder>),
                Runs(open_loop::<InOrder>),
                Not("nothing is hidden"),
                Runs(matrices),
                Runs(decoupled),
            ],
        ),
    ]
}

#[test]
fn every_search_runs_on_every_game_that_fits() {
    for (game, row) in table() {
        for (search, fit) in SEARCHES.iter().zip(row) {
            match fit {
                Runs(check) => {
                    let start = std::time::Instant::now();
                    check();
                    println!("{game}, {search}: {:?}", start.elapsed());
                }
                Not(why) => println!("{game}, {search}: {why}"),
            }
        }
    }
}
