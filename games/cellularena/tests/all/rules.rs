//! Tests of the rules, with slow reference implementations and worked examples.

use contender_cellularena::{
    map, Action, Cell, Cells, Content, Dir, Kind, Order, OrderCheck, Organ, Refusal, State, TURN_LIMIT,
};
use contender_game::{
    conformance,
    rules::{Combined, Player, Rng, Simultaneous},
};
use std::collections::{BTreeMap, BTreeSet};

/// Returns a generated map. In two of three cases the players have enough proteins for large organisms.
fn random_start(rng: &mut Rng) -> State {
    let mut state = map::generate(rng.next_u64() as i64 | 1).unwrap();
    let rich = [0, 40, 120][rng.index(3)];
    if rich > 0 {
        for player in Player::BOTH {
            state.set_stock(player, [rich; 4]).unwrap();
        }
    }
    state
}

/// Plays random games, and visits every state before a turn with the actions of this turn.
fn for_random_turns(seed: u64, games: u32, mut visit: impl FnMut(&State, [&[Action]; 2], &mut Rng)) {
    let mut rng = Rng::new(seed);
    for _ in 0..games {
        let mut state = random_start(&mut rng);
        while !state.is_over() {
            let pair = Player::BOTH.map(|player| state.random_move(player, &mut rng));
            visit(&state, [&pair[0], &pair[1]], &mut rng);
            state.play([&pair[0], &pair[1]]);
        }
    }
}

fn pay(stock: &mut [i32; 4], kind: Kind) {
    (0..4).for_each(|protein| stock[protein] -= kind.cost()[protein]);
}

/// A turn with maps from cells to their contents, step by step as in the rules. It ignores the numbers of organs.
#[derive(Clone, PartialEq, Debug)]
struct Slow {
    /// The walls and sources.
    terrain: BTreeMap<Cell, Content>,
    organs: BTreeMap<Cell, SlowOrgan>,
    stock: [[i32; 4]; 2],
    is_over: bool,
}

/// The parent and the root, identified by their cells.
#[derive(Clone, PartialEq, Debug)]
struct SlowOrgan {
    owner: Player,
    kind: Kind,
    dir: Dir,
    parent: Option<Cell>,
    root: Cell,
}

impl Slow {
    fn of(state: &State) -> Slow {
        let organs = state.organs();
        let by_id: BTreeMap<u16, Cell> = organs.iter().map(|organ| (organ.id, organ.cell)).collect();
        let slow = |organ: &Organ| {
            let &Organ { owner, kind, dir, parent, root, .. } = organ;
            (
                organ.cell,
                SlowOrgan { owner, kind, dir, parent: by_id.get(&parent).copied(), root: by_id[&root] },
            )
        };
        let is_terrain = |content: &Content| matches!(content, Content::Wall | Content::Source(_));
        Slow {
            terrain: state
                .cells()
                .map(|cell| (cell, state.content(cell)))
                .filter(|(_, content)| is_terrain(content))
                .collect(),
            organs: organs.iter().map(slow).collect(),
            stock: Player::BOTH.map(|player| *state.stock(player)),
            is_over: state.is_over(),
        }
    }

    fn faced(&self, owner: Player, kind: Kind) -> BTreeSet<Cell> {
        let of_kind = self.organs.iter().filter(|(_, organ)| organ.owner == owner && organ.kind == kind);
        of_kind.map(|(cell, organ)| cell.step(organ.dir)).collect()
    }

    fn harvested(&self, owner: Player) -> Vec<usize> {
        let sources = self.faced(owner, Kind::Harvester).into_iter();
        sources
            .filter_map(|cell| match self.terrain.get(&cell) {
                Some(&Content::Source(protein)) => Some(protein as usize),
                _ => None,
            })
            .collect()
    }

    fn play(&mut self, state: &State, actions: [&[Action]; 2]) {
        let mut growths: BTreeMap<Cell, Vec<(Player, Action)>> = BTreeMap::new();
        for player in Player::BOTH {
            for action in actions[player] {
                pay(&mut self.stock[player], action.kind);
                growths.entry(action.to).or_default().push((player, *action));
            }
        }
        for (cell, landing) in growths {
            let before = self.terrain.remove(&cell);
            if let [(owner, Action { from, kind, dir, .. })] = landing[..] {
                if let Some(Content::Source(protein)) = before {
                    self.stock[owner][protein as usize] += 3;
                }
                let parent = (kind != Kind::Root).then_some(from);
                let root = parent.map_or(cell, |parent| self.organs[&parent].root);
                self.organs.insert(cell, SlowOrgan { owner, kind, dir, parent, root });
            } else {
                self.terrain.insert(cell, Content::Wall);
            }
        }
        for player in Player::BOTH {
            for protein in self.harvested(player) {
                self.stock[player][protein] += 1;
            }
        }
        let attacked = Player::BOTH.map(|player| self.faced(player.other(), Kind::Tentacle));
        let is_attacked = |(cell, organ): &(&Cell, &SlowOrgan)| attacked[organ.owner].contains(cell);
        let mut dead: BTreeSet<Cell> =
            self.organs.iter().filter(is_attacked).map(|(cell, _)| *cell).collect();
        loop {
            let count = dead.len();
            for (&cell, organ) in &self.organs {
                if organ.parent.map_or(false, |parent| dead.contains(&parent)) {
                    dead.insert(cell);
                }
            }
            if dead.len() == count {
                break;
            }
        }
        self.organs.retain(|cell, _| !dead.contains(cell));
        let counts =
            Player::BOTH.map(|player| self.organs.values().filter(|organ| organ.owner == player).count());
        let stuck = Player::BOTH.map(|player| {
            let affords =
                Kind::ALL.iter().any(|kind| (0..4).all(|at| self.stock[player][at] >= kind.cost()[at]));
            !affords && self.harvested(player).is_empty()
        });
        let walls = self.terrain.values().filter(|content| **content == Content::Wall).count();
        self.is_over = counts.contains(&0)
            || stuck == [true, true]
            || stuck[0] && counts[0] < counts[1]
            || stuck[1] && counts[1] < counts[0]
            || walls + counts[0] + counts[1] == state.width() * state.height()
            || state.turns() + 1 == TURN_LIMIT;
    }
}

#[test]
fn turns_are_like_the_slow_ones() {
    let mut deaths = 0;
    let mut walls = 0;
    for_random_turns(1, 120, |state, actions, _| {
        let mut slow = Slow::of(state);
        slow.play(state, actions);
        let mut fast = state.clone();
        fast.play_turn(actions);
        assert_eq!(Slow::of(&fast), slow, "{actions:?} in {state:?}");
        let grown = (actions[0].len() + actions[1].len()) as i32;
        let count = |state: &State| state.organ_count(Player::Zero) + state.organ_count(Player::One);
        walls += fast.walls().len() - state.walls().len();
        deaths += u32::from(count(&fast) < count(state) + grown);
    });
    assert!(deaths > 100 && walls > 10, "{deaths} turns with losses, {walls} new walls");
}

#[test]
fn stocks_are_conserved() {
    for_random_turns(2, 60, |state, actions, _| {
        let mut next = state.clone();
        next.play_turn(actions);
        for player in Player::BOTH {
            let mut expected = *state.stock(player);
            for action in actions[player] {
                pay(&mut expected, action.kind);
                let is_alone = actions.concat().iter().filter(|other| other.to == action.to).count() == 1;
                if let (Content::Source(protein), true) = (state.content(action.to), is_alone) {
                    expected[protein as usize] += 3;
                }
            }
            // Harvesters may die after they have harvested, so only bounds for the harvest are known here.
            for (after, before) in next.stock(player).iter().zip(&expected) {
                let harvest = after - before;
                assert!(harvest >= 0 && harvest <= state.sources().len() as i32);
            }
            if next.organ_count(player) == state.organ_count(player) + actions[player].len() as i32 {
                let income = next.income(player);
                assert!((0..4).all(|at| next.stock(player)[at] == expected[at] + income[at]), "{next:?}");
            }
        }
    });
}

/// Returns the actions for all orders with a target next to the organ, or in line with a sporer, that the judge accepts
/// as a player's first order.
fn accepted(state: &State, player: Player) -> Vec<Action> {
    let mut found = Vec::new();
    for from in state.organ_cells(player) {
        let id = i32::from(state.id(from));
        for to in state.cells() {
            let (x, y) = (to.x() as i32, to.y() as i32);
            let mut orders = vec![Order::Spore { id, x, y }];
            if from.distance(to) == 1 {
                for kind in Kind::ALL {
                    orders.extend(Dir::ALL.map(|dir| Order::Grow { id, x, y, kind, dir }));
                }
            }
            for order in orders {
                if let Ok(Some(action)) = OrderCheck::new(state, player).take(order) {
                    found.push(action);
                }
            }
        }
    }
    found.retain(|action| action.kind != Kind::Basic || action.dir == Dir::N);
    found.sort();
    found
}

#[test]
fn listed_actions_are_those_that_the_judge_accepts() {
    for_random_turns(3, 40, |state, _, rng| {
        let player = Player::from_index(rng.index(2));
        if rng.below(8) == 0 {
            let mut listed = Vec::new();
            state.actions(player, &mut listed);
            listed.sort();
            assert_eq!(listed, accepted(state, player), "{state:?}");
        }
    });
}

#[test]
fn the_judge_accepts_random_and_combined_moves_as_they_are() {
    for_random_turns(4, 60, |state, actions, rng| {
        for player in Player::BOTH {
            let mut possible = Vec::new();
            state.actions(player, &mut possible);
            let mut chosen = Vec::new();
            loop {
                possible.retain(|&action| state.goes_with(player, &chosen, action));
                if possible.is_empty() || rng.below(10) == 0 {
                    break;
                }
                chosen.push(possible[rng.index(possible.len())]);
            }
            let combined = state.combine(player, &chosen);
            assert_eq!(combined.len(), chosen.len());
            for actions in [actions[player], &combined] {
                let mut check = OrderCheck::new(state, player);
                for action in actions {
                    assert_eq!(check.take(action.order(state)), Ok(Some(*action)), "{state:?}");
                }
            }
        }
    });
}

#[test]
fn listed_moves_are_all_and_only_those_that_go_together() {
    let state: State =
        "5 2\n.....\n.....\n1 1 1 0\n5 5 5 5\n1 0 0 0 ROOT N 0 1\n2 1 4 0 ROOT N 0 2\n3 0 2 0 ROOT N 0 3\n"
            .parse()
            .unwrap();
    let mut actions = Vec::new();
    state.actions(Player::Zero, &mut actions);
    // There are five growths, two of them onto the same cell. Each can be BASIC, or TENTACLE in four directions.
    assert_eq!(actions.len(), 5 + 5 * 4);
    let pairs = actions
        .iter()
        .enumerate()
        .flat_map(|(at, one)| actions[at + 1..].iter().map(move |two| [*one, *two]));
    let expected = pairs.filter(|&[one, two]| state.goes_with(Player::Zero, &[one], two)).count();
    let mut moves = Vec::new();
    state.moves(Player::Zero, &mut moves);
    assert_eq!(moves.len(), 1 + actions.len() + expected);
    let mut rng = Rng::new(5);
    let mut seen = vec![false; moves.len()];
    for _ in 0..60_000 {
        let mv = state.random_move(Player::Zero, &mut rng);
        seen[moves.iter().position(|other| *other == mv).expect("random moves are listed")] = true;
    }
    assert!(seen.iter().all(|&seen| seen), "every listed move comes up");
}

/// The image of cells and directions under a symmetry of the map, with the players exchanged.
#[derive(Clone, Copy)]
struct Image {
    width: usize,
    height: usize,
    turned: bool,
}

impl Image {
    fn cell(self, cell: Cell) -> Cell {
        let y = if self.turned { self.height - 1 - cell.y() } else { cell.y() };
        Cell::new(self.width - 1 - cell.x(), y)
    }

    fn dir(self, dir: Dir) -> Dir {
        match dir {
            Dir::N | Dir::S if !self.turned => dir,
            _ => dir.opposite(),
        }
    }

    fn action(self, action: &Action) -> Action {
        // A root always faces north.
        let dir = if action.kind == Kind::Root { Dir::N } else { self.dir(action.dir) };
        Action { from: self.cell(action.from), to: self.cell(action.to), dir, ..*action }
    }

    fn state(self, state: &State) -> State {
        let mut image = State::empty(self.width, self.height).unwrap();
        for cell in state.cells() {
            match state.content(cell) {
                Content::Wall => image.build_wall(self.cell(cell)).unwrap(),
                Content::Source(protein) => image.put_source(self.cell(cell), protein).unwrap(),
                Content::Empty | Content::Organ { .. } => {}
            }
        }
        let organ = |organ: Organ| {
            let dir = if organ.kind == Kind::Root { Dir::N } else { self.dir(organ.dir) };
            Organ { owner: organ.owner.other(), cell: self.cell(organ.cell), dir, ..organ }
        };
        image.put_organs(state.organs().into_iter().map(organ).collect()).unwrap();
        for player in Player::BOTH {
            image.set_stock(player.other(), *state.stock(player)).unwrap();
        }
        image.set_turns(state.turns() as u8);
        image
    }
}

#[test]
fn reflected_states_with_swapped_players_play_alike() {
    for_random_turns(6, 40, |state, actions, _| {
        for turned in [false, true] {
            let image = Image { width: state.width(), height: state.height(), turned };
            let mut reflected = image.state(state);
            let swapped = [actions[1], actions[0]].map(|actions| -> Vec<Action> {
                actions.iter().map(|action| image.action(action)).collect()
            });
            reflected.play([&swapped[0], &swapped[1]]);
            let mut next = state.clone();
            next.play_turn(actions);
            let mut expected = Slow::of(&image.state(&next));
            expected.is_over = next.is_over();
            assert_eq!(Slow::of(&reflected), expected, "{state:?}");
            assert_eq!(reflected.value(), -next.value());
            assert_eq!(reflected.winner(), next.winner().map(Player::other));
        }
    });
}

#[test]
fn random_play_keeps_the_promises() {
    conformance::check_simultaneous(random_start, 60, TURN_LIMIT, false, 7);
    let tiny = |rng: &mut Rng| -> State {
        let stock = ["2 1 1 0", "1 0 1 1", "3 0 0 0"][rng.index(3)];
        format!("4 2\n.A..\n..B.\n{stock}\n{stock}\n1 0 0 0 ROOT N 0 1\n2 1 3 1 ROOT N 0 2\n")
            .parse()
            .unwrap()
    };
    conformance::check_simultaneous(tiny, 100, TURN_LIMIT, true, 8);
}

#[test]
fn doomed_organs_are_the_descendants() {
    let text = "6 2\n......\n......\n9 9 9 9\n9 9 9 9\n1 0 0 0 ROOT N 0 1\n2 1 5 1 ROOT N 0 2\n3 0 1 0 BASIC N 1 1\n\
        4 0 2 0 BASIC N 3 1\n5 0 2 1 SPORER E 4 1\n6 0 1 1 BASIC N 3 1\n7 0 4 1 ROOT N 0 7\n8 0 0 1 BASIC N 1 1\n";
    let state: State = text.parse().unwrap();
    let ids = |dead: Cells| -> BTreeSet<u16> { dead.iter().map(|cell| state.id(cell)).collect() };
    let after = |id: i32| ids(state.doomed(Player::Zero, [state.find(id).unwrap()].into_iter().collect()));
    assert_eq!(after(4), [4, 5].into());
    assert_eq!(after(3), [3, 4, 5, 6].into());
    assert_eq!(after(1), [1, 3, 4, 5, 6, 8].into());
    assert_eq!(after(7), [7].into());
}

/// Returns a corridor with both roots at its ends, after both players have waited.
fn after_waiting(row: &str, stock: [&str; 2], more: &str) -> State {
    let last = row.len() - 1;
    let text = format!(
        "{} 1\n{row}\n{}\n{}\n1 0 0 0 ROOT N 0 1\n2 1 {last} 0 ROOT N 0 2\n{more}",
        row.len(),
        stock[0],
        stock[1]
    );
    let mut state: State = text.parse().unwrap();
    state.play([&vec![], &vec![]]);
    state
}

#[test]
fn games_end_when_the_rules_say_so() {
    let (some, none) = ("1 0 0 0", "0 1 0 0");
    assert!(!after_waiting(".....", [some, some], "").is_over());
    assert!(after_waiting(".....", [none, none], "").is_over(), "nobody can go on");
    assert!(!after_waiting(".....", [none, some], "").is_over(), "stuck, but level");
    assert!(after_waiting(".....", [none, some], "3 1 3 0 BASIC N 2 2\n").is_over(), "stuck and behind");
    assert!(!after_waiting(".....", [some, none], "3 1 3 0 BASIC N 2 2\n").is_over(), "stuck and ahead");
    let harvester = "3 0 1 0 HARVESTER E 1 1\n4 1 5 0 BASIC N 2 2\n5 1 4 0 BASIC N 4 2\n";
    assert!(!after_waiting("..D....", ["0 0 0 0", some], harvester).is_over(), "behind, with an income");
    assert!(
        after_waiting("..D....", ["0 0 0 0", some], &harvester.replace("R E", "R N")).is_over(),
        "without"
    );
    assert!(
        after_waiting("..#..", [some, some], "3 0 1 0 BASIC E 1 1\n4 1 3 0 BASIC N 2 2\n").is_over(),
        "full"
    );
    let full_but_source = after_waiting("..A..", [some, some], "3 0 1 0 BASIC E 1 1\n4 1 3 0 BASIC N 2 2\n");
    assert!(!full_but_source.is_over());
    let mut last: State = after_waiting(".....", [some, some], "");
    last.set_turns(TURN_LIMIT as u8 - 1);
    last.play([&vec![], &vec![]]);
    assert!(last.is_over(), "the last turn");
    let killed = after_waiting(
        ".....",
        [some, some],
        "3 0 1 0 BASIC N 1 1\n4 0 2 0 BASIC N 3 1\n5 0 3 0 TENTACLE E 4 1\n",
    );
    assert!(killed.is_over() && killed.points() == [4, 0]);
}

#[test]
fn more_proteins_decide_between_equal_counts() {
    let state = after_waiting(".....", ["1 2 0 0", "0 0 0 4"], "");
    assert_eq!((state.value(), state.winner()), (0, Some(Player::One)));
    assert_eq!(state.winner_with([false, true]), Some(Player::Zero));
    assert_eq!(state.winner_with([true, true]), Some(Player::One));
    assert_eq!(after_waiting(".....", ["1 2 0 0", "0 0 0 3"], "").winner(), None);
    let ahead = after_waiting(".....", ["0 1 0 0", "9 9 9 9"], "3 0 1 0 BASIC N 1 1\n");
    assert_eq!(ahead.winner(), Some(Player::Zero));
}

#[test]
fn orders_are_refused_for_the_judges_reasons() {
    let text = "6 3\n..#...\n......\n......\n1 1 1 1\n9 9 9 9\n1 0 0 0 ROOT N 0 1\n2 1 5 2 ROOT N 0 2\n3 0 0 1 SPORER E 1 1\n\
        4 1 4 2 TENTACLE N 2 2\n5 1 3 2 BASIC N 4 2\n";
    let state: State = text.parse().unwrap();
    let first = |line: &str| OrderCheck::new(&state, Player::Zero).take(line.parse().unwrap());
    for (line, refusal) in [
        ("GROW 9 1 1 BASIC", Refusal::NoSuchOrgan),
        ("GROW 2 5 1 BASIC", Refusal::EnemyOrgan),
        ("GROW 1 1 0 ROOT", Refusal::GrownRoot),
        ("SPORE 1 1 0", Refusal::NoSporer),
        ("GROW 1 0 -1 BASIC", Refusal::OffBoard),
        ("GROW 1 0 1 BASIC", Refusal::OwnOrganism),
        ("SPORE 3 1 2", Refusal::NoLine),
        ("SPORE 3 4 1", Refusal::Guarded),
    ] {
        assert_eq!(first(line), Err(refusal), "{line}");
    }
    let mut check = OrderCheck::new(&state, Player::Zero);
    let mut take = |line: &str| check.take(line.parse().unwrap());
    assert_eq!(take("WAIT"), Ok(None));
    assert!(take("GROW 3 1 1 TENTACLE W").is_ok());
    assert_eq!(take("GROW 3 1 1 SPORER W"), Err(Refusal::TooExpensive));
    assert_eq!(take("GROW 3 1 1 BASIC W"), Err(Refusal::HasActed));
    // The target is not adjacent. The path leads through the sporer, so the sporer grows instead.
    let far = first("GROW 1 0 2 BASIC").unwrap().unwrap();
    assert_eq!((far.from, far.to), (Cell::new(0, 1), Cell::new(0, 2)));
}
