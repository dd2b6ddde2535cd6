//! The bundled bots, weakest first.

use crate::dialogue::Reader;
use crate::{Greedy, RandomActions};

contender_game::bots! {
    Reader;
    random "a random action of every organism, or none": |_: (), seed| RandomActions::new(seed);
    greedy "kills, harvests and grows towards sources, without looking ahead": |_: (), _| Greedy;
}
