//! Tests of games, teachers and the decisions that a network learns from.

use super::*;

#[test]
fn unknown_teachers_and_options_are_refused() {
    let network = network(1);
    let check = |teacher: &str| Teacher::<Cellularena>::new(&imitation(teacher), &network, None, 0).map(drop);
    assert_eq!(check("champion:hand=0,moves=8"), Ok(()));
    assert_eq!(check("greedy"), Ok(()));
    assert!(check("champion:hands=0").is_err_and(|error| error.contains("hands")));
    assert!(check("nobody").is_err_and(|error| error.contains("champion")));
}

/// If the learning network agrees with its teacher network, the gradient is zero. The value's target is half the mean
/// of both views and half the result.
#[test]
fn a_network_teaches_what_it_says_itself() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("network.bin");
    let shape = shape(1);
    let mut rng = Rng::new(3);
    let parameters: Vec<f32> = (0..shape.parameters()).map(|_| rng.unit() as f32 - 0.5).collect();
    std::fs::write(&file, Cellularena::write(shape, &parameters)).unwrap();
    let lesson = Imitation { value_share: 0.5, ..imitation(&format!("network:{}", file.display())) };
    let bytes = read_teacher::<Cellularena>(&lesson).unwrap().expect("it is a network");
    let (shape, parameters) = Cellularena::read(&bytes).unwrap();
    let teacher = Network::new(shape, &parameters);
    let own = || Evaluator::new(&teacher);
    let lessons = Teacher::new(&lesson, &network(1), Some(&teacher), 1).unwrap();
    let seats = [Seat::Teacher(own()), Seat::Learner(own())];
    let played: Played<Cellularena> = play(4, seats, Some(lessons), &recipe(2), &mut Rng::new(2)).unwrap();
    assert_eq!(played.decisions.len(), 2 * played.turns.len());
    let mut evaluator = own();
    let mut choosing = 0;
    for (turn, player, decision) in &played.decisions {
        let views = Cellularena::views(&Cellularena::start(4));
        let values = Player::BOTH.map(|of| evaluator.ask::<Cellularena>(&decision.state, &views[of]).value);
        let output = evaluator.ask::<Cellularena>(&decision.state, &decision.view);
        // Softmax over all that is possible, from the definition.
        let choices = Choices::new(&decision.state, decision.view);
        let mut possible = Vec::new();
        choices.list(&mut possible);
        let odds = |pick: Pick| {
            f64::from(if pick == WAIT { output.wait[0] } else { output.logits[usize::from(pick)] }).exp()
        };
        let all: f64 = possible.iter().chain([&WAIT]).map(|&pick| odds(pick)).sum();
        for pick in possible.iter().chain(if possible.is_empty() { None } else { Some(&WAIT) }) {
            let taught = decision.lines.iter().find(|(picks, _)| picks == &[*pick]).map_or(0.0, |of| of.1);
            let share = odds(*pick) / all;
            let is_alike = (f64::from(taught) - share).abs() < 1e-4;
            assert!(is_alike || (taught == 0.0 && share < 0.0021), "{share} {taught}");
        }
        choosing += usize::from(possible.len() > 3);
        // The opponent's choices in this decision equal those in the opponent's own decision of the turn, seen from
        // this player's view.
        let of_turn = |(of, player_of, _): &&(u32, Player, Decision<Cellularena>)| (*of, *player_of);
        let enemys = played.decisions.iter().find(|of| of_turn(of) == (*turn, player.other()));
        let enemys = &enemys.expect("both are taught").2;
        let beside = decision.beside.as_ref().expect("the network tells both");
        assert_eq!(beside.len(), enemys.lines.len());
        let [here, there] =
            [decision.view.beside(), enemys.view].map(|view| Choices::new(&decision.state, view));
        for ((picks, weight), (own_picks, own_weight)) in beside.iter().zip(&enemys.lines) {
            assert_eq!(weight, own_weight);
            let (pick, own_pick) = (picks[0], own_picks[0]);
            assert_eq!(pick == WAIT, own_pick == WAIT);
            if pick != WAIT {
                let [one, other] = [here.clone().take(pick), there.clone().take(own_pick)];
                assert_eq!((one.to, one.kind, one.dir), (other.to, other.kind, other.dir));
            }
        }
        let ahead = (played.turns.len() as u32 - turn - 1) as i32;
        let last = played.decisions.last().expect("there was a turn");
        let mut end = (*last.2.state).clone();
        let [zero, one] = played.turns.last().expect("there was a turn");
        end.play([zero, one]);
        let won = Cellularena::outcome(&end, *player) * LEARNING.discount.powi(ahead);
        let value = 0.5 * (values[*player] - values[player.other()]);
        assert!((decision.target - 0.5 * (won + value)).abs() < 1e-4);
    }
    assert!(choosing > 20, "{choosing}");
    let missing = read_teacher::<Cellularena>(&imitation("network:nowhere.bin")).unwrap_err();
    assert!(format!("{missing:#}").contains("`teacher` in the recipe: nowhere.bin"), "{missing:#}");
}

#[test]
fn puct_teaches_the_shares_of_its_visits_and_the_value_of_its_search() {
    let state = Cellularena::start(7);
    let nodes = 50;
    let found = think("champion", &state, &clock(Some(nodes)), 7);
    let played = lesson(&Imitation { value_share: 1.0, ..imitation("champion") }, false, 7, 1);
    for (player, found) in Player::BOTH.into_iter().zip(&found) {
        let visits: u64 = found.moves.iter().map(|of| of.effort).sum();
        assert_eq!(visits, nodes);
        for (of, share) in found.moves.iter().zip(&found.strategy) {
            assert!((of.effort as f64 / nodes as f64 - share).abs() < 1e-9);
        }
        // The first decisions belong to the start of the game and use the lesson's node limit.
        let (turn, of, first) = &played.decisions[usize::from(player == Player::One)];
        assert_eq!((*turn, *of), (0, player));
        assert!((first.lines.iter().map(|(_, part)| part).sum::<f32>() - 1.0).abs() < 1e-5);
    }
    let short = think("champion", &state, &clock(Some(20)), 7);
    let mean: f64 = short[0]
        .moves
        .iter()
        .filter(|of| of.effort > 0)
        .map(|of| of.effort as f64 / 20.0 * of.value[0])
        .sum();
    assert!((f64::from(played.decisions[0].2.target) - mean).abs() < 1e-5);
}

#[test]
fn a_playout_cap_teaches_in_a_share_of_the_turns() {
    let all = lesson(&imitation("heuristic"), true, 8, 1);
    assert_eq!(all.decisions.len(), 2 * all.turns.len());
    for fast_nodes in [None, Some(2)] {
        let imitation = Imitation { deep_share: 0.25, fast_nodes, ..imitation("heuristic") };
        let some: Vec<Played<Cellularena>> = (0..6).map(|seed| lesson(&imitation, true, seed, 1)).collect();
        let turns: usize = some.iter().map(|game| game.turns.len()).sum();
        let share = some.iter().map(|game| game.decisions.len()).sum::<usize>() as f64 / (2 * turns) as f64;
        assert!((0.15..0.35).contains(&share), "{share}");
        for game in &some {
            assert!(game.decisions.chunks(2).all(|pair| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1));
        }
    }
}

#[test]
fn targets_are_the_result_and_what_the_search_says() {
    let of = |value_share| lesson(&Imitation { value_share, ..imitation("heuristic") }, true, 3, 1);
    let [won, said, mixed] = [0.0, 1.0, 0.6].map(of);
    let mut state = Cellularena::start(3);
    for moves in &won.turns {
        state.play([&moves[0], &moves[1]]);
    }
    let last = won.turns.len() - 1;
    assert_eq!(won.decisions.len(), 2 * won.turns.len());
    for (at, (turn, player, decision)) in won.decisions.iter().enumerate() {
        assert_eq!((*turn as usize, *player), (at / 2, Player::BOTH[at % 2]));
        let expected = Cellularena::outcome(&state, *player) * 0.99f32.powi((last - at / 2) as i32);
        assert!((decision.target - expected).abs() < 1e-5);
        let [said, mixed] = [&said, &mixed].map(|other| other.decisions[at].2.target);
        assert!(said.abs() <= 2.0 && (0.4 * decision.target + 0.6 * said - mixed).abs() < 1e-5);
    }
}

/// After the last decision of a game, no later value follows, so its target is the result.
#[test]
fn a_clear_win_teaches_twice_as_much_unless_rewards_have_a_limit() {
    let network = network(1);
    let mut clear = 0;
    for seed in 1..=20 {
        let [twice, once] = [None, Some(1.0)].map(|reward_limit| {
            let recipe = Recipe { learning: Learning { reward_limit, ..LEARNING }, ..recipe(1) };
            let seats = [(); 2].map(|()| Seat::Learner(Evaluator::new(&network)));
            play::<Cellularena>(seed, seats, None, &recipe, &mut Rng::new(seed)).unwrap()
        });
        let mut state = Cellularena::start(seed);
        for moves in &twice.turns {
            state.play([&moves[0], &moves[1]]);
        }
        assert!(state.is_over() && twice.turns == once.turns);
        for player in Player::BOTH {
            let outcome = Cellularena::outcome(&state, player);
            clear += usize::from(outcome == 2.0);
            let target = |game: &Played<Cellularena>| {
                let last = game.decisions.iter().rev().find(|(_, of, _)| *of == player);
                last.filter(|(turn, ..)| *turn as usize + 1 == game.turns.len()).map(|last| last.2.target)
            };
            if let (Some(twice), Some(once)) = (target(&twice), target(&once)) {
                assert!((twice - outcome).abs() < 1e-5 && (once - outcome.clamp(-1.0, 1.0)).abs() < 1e-5);
            }
        }
    }
    assert!(clear > 2, "{clear}");
}

#[test]
fn a_window_is_read_back_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = Window::<Cellularena>::new();
    let mut rounds = Vec::new();
    for number in 0..3 {
        let played = vec![lesson(&Imitation { deep_share: 0.3, ..imitation("heuristic") }, true, number, 2)];
        window::save(folder.path(), number, &played).unwrap();
        let decisions: Vec<Decision<Cellularena>> =
            played.into_iter().flat_map(|game| game.decisions).map(|(_, _, decision)| decision).collect();
        rounds.push(Round { number, decisions: decisions.len() });
        window.push(number, decisions);
    }
    let mut same = Window::<Cellularena>::new();
    same.restrict(&rounds, folder.path()).unwrap();
    let [one, other] = [&window, &same].map(|window| window.decisions().collect::<Vec<_>>());
    assert!(one.len() > 60 && one.len() == other.len());
    for (one, other) in one.iter().zip(other) {
        assert!(one.state == other.state && one.view == other.view && one.lines == other.lines);
        assert!(one.beside.is_some() && one.beside == other.beside);
        assert_eq!(one.target, other.target);
    }
    window::forget(folder.path(), 2).unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    same.restrict(&rounds[2..], folder.path()).unwrap();
    assert_eq!(same.decisions().count(), rounds[2].decisions);
    assert!(Window::<Cellularena>::new().restrict(&rounds, folder.path()).is_err());
    let of = |sizes: &[usize]| -> Vec<Round> {
        (0..).zip(sizes).map(|(number, &decisions)| Round { number, decisions }).collect()
    };
    let kept = |size| window::kept(&of(&[50, 40, 30, 20]), size).len();
    assert_eq!([0, 20, 21, 50, 51, 90, 141].map(kept), [1, 1, 2, 2, 3, 3, 4]);
}

#[test]
fn what_is_learned_in_a_mirror_is_the_same_move_there() {
    let played = [8, 9, 10].map(|seed| lesson(&imitation("heuristic"), true, seed, 2));
    let mut picks = [0; 2];
    for (_, _, decision) in played.iter().flat_map(|game| &game.decisions) {
        let image = decision.mirrored(&mut Rng::new(1)).expect("it is a teacher's");
        assert_eq!((image.view, image.target), (decision.view.mirrored(), decision.target));
        let [beside, image_beside] = [decision, &image].map(|of| of.beside.as_ref().expect("both are told"));
        for (side, lines, images) in [(0, &decision.lines, &image.lines), (1, beside, image_beside)] {
            assert_eq!(images.len(), lines.len());
            for ((line, weight), (image_line, image_weight)) in lines.iter().zip(images) {
                assert_eq!((line.len(), weight), (image_line.len(), image_weight));
                let [mut plain, mut turned] = [decision.view, image.view]
                    .map(|view| Choices::new(&decision.state, if side == 1 { view.beside() } else { view }));
                for (&pick, &image) in line.iter().zip(image_line).filter(|(pick, _)| **pick != WAIT) {
                    let [one, other] = [plain.take(pick), turned.take(image)];
                    assert_eq!((one.to, one.kind, one.dir), (other.to, other.kind, other.dir));
                    picks[side] += 1;
                }
            }
        }
    }
    assert!(picks.iter().all(|&picks| picks > 100), "{picks:?}");
}

/// Returns the log probability of lists of choices, computed by definition.
#[test]
fn a_move_has_the_choices_that_it_was_made_of() {
    let mut rng = Rng::new(4);
    let mut longest = 0;
    for seed in 1..4 {
        let mut state = Cellularena::start(seed);
        let views = Cellularena::views(&state);
        while !state.is_over() {
            let moves = Player::BOTH.map(|player| {
                let view = Cellularena::mirrored(&views[player], &mut rng);
                let (mut choices, mut chosen) = (Cellularena::choices(&state, &view), Vec::new());
                loop {
                    let mut open = Vec::new();
                    choices.list(&mut open);
                    if open.is_empty() || rng.index(4) == 0 {
                        break;
                    }
                    let pick = open[rng.index(open.len())];
                    choices.take(pick);
                    chosen.push(pick);
                }
                let mv = Cellularena::complete(&state, &view, &chosen);
                let mut picks = Cellularena::picks(&state, &view, &mv);
                picks.retain(|&pick| pick != WAIT);
                picks.sort_unstable();
                longest = longest.max(chosen.len());
                chosen.sort_unstable();
                assert_eq!(picks, chosen);
                mv
            });
            state.play([&moves[0], &moves[1]]);
        }
    }
    assert!(longest > 1);
}

#[test]
fn bots_observe_their_opponents() {
    struct Watching(Arc<AtomicUsize>, BotOf<Turns>);

    impl Bot<TurnState, Option<Move>> for Watching {
        fn choose(&mut self, state: &TurnState, player: Player, clock: &Clock) -> Option<Move> {
            self.1.choose(state, player, clock)
        }

        fn observe(&mut self, state: &TurnState, player: Player, mv: &Option<Move>) {
            assert!(!state.is_idle(player.other()) && mv.is_some());
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    let shape = Turns::shape(16, 0, 4, 1);
    let network = Network::new(shape, &vec![0.0; shape.parameters()]);
    let observed = Arc::new(AtomicUsize::new(0));
    let random = || Turns::bot("random", &mut Options::default(), 1).expect("a bot").expect("no options");
    let create = || Box::new(Watching(Arc::clone(&observed), random())) as BotOf<Turns>;
    for own in Player::BOTH {
        let mut rival = Rival::Bot(create(), clock(None));
        points::<Turns>(1, own, &mut Evaluator::new(&network), &mut Some(Rng::new(1)), &mut rival);
    }
    // A game of Ultimate Tic-Tac-Toe has at least 17 moves, and each player makes half of them.
    assert!(observed.load(Ordering::Relaxed) >= 2 * 8);
    let before = observed.load(Ordering::Relaxed);
    let seats = [Seat::Learner(Evaluator::new(&network)), Seat::Bot(create(), clock(None))];
    play::<Turns>(1, seats, None, &recipe(1), &mut Rng::new(1)).expect("an end");
    assert!(observed.load(Ordering::Relaxed) >= before + 8);
}

/// A network that learns from its own choices also learns from the opponent's, if it has policies for both sides.
#[test]
fn self_play_shows_what_the_enemy_did() {
    for sides in 1..=SIDES {
        let network = network(sides);
        let seats = Player::BOTH.map(|_| Seat::Learner(Evaluator::new(&network)));
        let played: Played<Cellularena> = play(6, seats, None, &recipe(sides), &mut Rng::new(3)).unwrap();
        assert_eq!(played.decisions.len(), 2 * played.turns.len());
        let mut actions = 0;
        for (turn, player, decision) in &played.decisions {
            assert_eq!(decision.beside.is_some(), sides == 2);
            let Some(beside) = &decision.beside else { continue };
            let enemys = &played.turns[*turn as usize][player.other()];
            let mut choices = Choices::new(&decision.state, decision.view.beside());
            let [(picks, weight)] = &beside[..] else { panic!("one line") };
            assert_eq!(*weight, 1.0);
            let taken = picks.iter().filter(|&&pick| pick != WAIT).map(|&pick| choices.take(pick));
            let taken: Vec<_> = taken.map(|action| (action.to, action.kind, action.dir)).collect();
            assert_eq!(taken.len(), enemys.len());
            assert!(enemys.iter().all(|of| taken.contains(&(of.to, of.kind, of.dir))));
            actions += taken.len();
        }
        assert!(sides == 1 || actions > 20, "{actions}");
    }
}
