use super::*;

fn contest() -> &'static dyn Contest {
    contender_catalogue::find("uttt").unwrap()
}

/// Computed by hand: a move that loses a share of 0.2 is a blunder. For a move that the bot did not search, the
/// loss is the drop of the value until the player's next decision.
#[test]
fn moves_that_give_much_away_are_marked() {
    let decision = |turn, player, value, cost| GameDecision {
        turn,
        player,
        value,
        cost,
        is_drawn: false,
        is_proven: false,
        played: "4 4".to_string(),
        best: "x".to_string(),
    };
    let mut evaluation = Evaluation {
        game: 1,
        moves: 0,
        bot: "b".to_string(),
        unit: SHARES[0].to_string(),
        version: VERSION,
        decisions: vec![
            decision(1, 0, 0.6, Some(0.2)),
            decision(2, 1, 0.6, Some(0.0)),
            decision(3, 0, 0.4, None),
            decision(4, 1, 0.71, Some(0.06)),
            decision(5, 0, 0.29, Some(0.01)),
        ],
    };
    let kinds = |evaluation: &Evaluation| -> Vec<(usize, &str)> {
        evaluation.marks(&evaluation.weigh(), contest()).iter().map(|mark| (mark.turn, mark.kind)).collect()
    };
    // The last position is better for player 1 than before the fourth move, so this move lost nothing.
    assert_eq!(kinds(&evaluation), [(1, "blunder"), (3, "mistake")]);
    assert_eq!(evaluation.marks(&evaluation.weigh(), contest())[0].names, ["r4 c4", "x"]);
    assert!((evaluation.for_zero(&evaluation.decisions[1]) - 0.4).abs() < 1e-9);
    // With points, the same shares refer to the range of values in the game. A loss before a draw is that of the
    // search.
    let drawn = |decisions: Vec<GameDecision>| -> Vec<GameDecision> {
        decisions.into_iter().map(|of| GameDecision { is_drawn: true, ..of }).collect()
    };
    evaluation.unit = "points".to_string();
    evaluation.decisions = drawn(vec![
        decision(1, 0, 30.0, Some(2.0)),
        decision(3, 0, 0.0, None),
        decision(4, 1, 10.0, Some(4.0)),
    ]);
    // The values of the curve are 25, -5 and -5, so its range is 30.
    assert_eq!(kinds(&evaluation), [(1, "inaccuracy"), (4, "mistake")]);
    let words = |evaluation: &Evaluation, at: usize| {
        evaluation.marks(&evaluation.weigh(), contest())[at].words.clone()
    };
    // Before the end, the range of values is too small, and every loss would look large.
    let sides = Sides {
        turns: 9,
        contest: contest(),
        names: ["a".to_string(), "b".to_string()],
        result: Some(0.0),
        leads: vec![0.0; 10],
        decisions: 2,
    };
    let marks_in = |is_over| evaluation.parts(&sides, is_over)[0].0.contains("data-marks=\"[]\"");
    assert_eq!([marks_in(false), marks_in(true)], [true, false]);
    assert_eq!(words(&evaluation, 1), "mistake: loses 4.0 points");
    // Every move loses a point, so one point is the error of the estimates, and 40 points are the span.
    let costs = [1.0, 1.0, 1.0, 1.0, 7.0, 1.0, 1.0, 1.9, 2.1, 1.0];
    evaluation.decisions = drawn((0..10).map(|at| decision(at + 1, at % 2, 0.0, Some(costs[at]))).collect());
    assert_eq!(kinds(&evaluation), [(5, "blunder"), (9, "inaccuracy")]);
    evaluation.decisions.truncate(9);
    assert_eq!(kinds(&evaluation).len(), 9);
    // The curve is 29.75, 29.25 and 28.75, so the search has overrated the better move.
    evaluation.decisions = vec![
        decision(1, 0, 30.0, Some(8.0)),
        decision(2, 1, -29.0, Some(0.5)),
        decision(3, 0, 29.0, Some(0.0)),
    ];
    assert_eq!(evaluation.losses(Player::Zero), [(1, 0.5), (3, 0.0)]);
    assert_eq!(evaluation.losses(Player::One), [(2, 0.0)]);
    // With a lead, a share of one half is 1, because values range from -1 to 1.
    evaluation.unit = LEAD.to_string();
    evaluation.decisions = vec![decision(1, 0, 0.3, Some(0.25)), decision(2, 1, -0.05, Some(0.05))];
    assert_eq!(kinds(&evaluation), [(1, "mistake")]);
    assert_eq!(words(&evaluation, 0), "mistake: loses 0.25 of the lead from -1 to 1");
    // Networks use the unit `wins` for the same probability.
    evaluation.unit = "wins".to_string();
    evaluation.decisions = vec![decision(1, 1, 0.7, Some(0.12)), decision(2, 0, 0.42, Some(0.01))];
    assert_eq!(kinds(&evaluation), [(1, "mistake")]);
    assert_eq!(words(&evaluation, 0), "mistake: win chance from 70% to 58%");
    // Each player's mistakes are counted, and the scale says whose side is whose.
    let [chart, summary] = evaluation.parts(&sides, true);
    assert!(chart.0.contains("[9,0.0,&quot;b won&quot;]]"), "{}", chart.0);
    assert!(!evaluation.parts(&sides, false)[0].0.contains("b won"));
    assert!(chart.0.contains("X 100%") && chart.0.contains("O 100%"), "{}", chart.0);
    let of = |name: &str| summary.0.split(&format!("<strong>{name}</strong>")).nth(1).unwrap().to_string();
    assert!(
        of("b").contains("1 mistake<") && of("a").split("</p>").next().unwrap().contains("no marked moves")
    );
    // The button shows the position before the move that lost the game.
    let [_, summary] = evaluation.parts(&Sides { result: Some(1.0), ..sides }, true);
    assert!(
        summary.0.contains("b's turning point: move 1, win chance from 70% to 58%.")
            && summary.0.contains("data-turn=\"0\""),
        "{}",
        summary.0
    );
    assert!((evaluation.for_zero(&evaluation.decisions[0]) - 0.3).abs() < 1e-9);
}

/// The costliest move of a stretch has a mark, even if its loss is too small for one of the usual kinds.
#[test]
fn the_costliest_move_of_a_stretch_is_marked() {
    let evaluation = Evaluation {
        game: 1,
        moves: 0,
        bot: "b".to_string(),
        unit: "points".to_string(),
        version: VERSION,
        decisions: Vec::new(),
    };
    let [played, better] = ["4 4", "5 5"].map(str::to_string);
    let costliest =
        TurningPoint { turn: 36, played, better, cost: 4.2, loss: "loses 4.2 points".to_string() };
    let (reason, change, parts) = (Reason::OwnMoves, String::new(), String::new());
    let stretch =
        Stretch { first: 18, last: 61, reason, lost: 20.0, change, parts, costliest: Some(costliest) };
    let (mut marks, stretches) = (Vec::new(), [(Player::Zero, Blame::Stretch(stretch))]);
    // A move that has a mark gets no second one.
    for _ in 0..2 {
        evaluation.mark_costliest(&mut marks, &stretches, contest());
    }
    let [mark] = &marks[..] else { panic!("{} marks", marks.len()) };
    assert_eq!((mark.turn, &mark.words[..]), (36, "costliest of moves 18–61: loses 4.2 points"));
}

/// If both players decide at the same time, the whole drop is the loss of a move that the bot would not play.
#[test]
fn a_joint_decision_loses_the_drop_of_the_curve() {
    let decision = |turn, player, value, played: &str| GameDecision {
        turn,
        player,
        value,
        cost: Some(0.03),
        is_drawn: false,
        is_proven: false,
        played: played.to_string(),
        best: "x".to_string(),
    };
    let decisions = [
        [decision(1, 0, 0.5, "x"), decision(1, 1, 0.5, "y")],
        [decision(2, 0, 0.45, "y"), decision(2, 1, 0.55, "x")],
        [decision(3, 0, 0.14, "y"), decision(3, 1, 0.86, "y")],
    ];
    let evaluation = Evaluation {
        game: 1,
        moves: 0,
        bot: "b".to_string(),
        unit: SHARES[0].to_string(),
        version: VERSION,
        decisions: decisions.into_iter().flatten().collect(),
    };
    let zero: Vec<(usize, f64)> = evaluation.losses(Player::Zero);
    let rounded: Vec<(usize, f64)> =
        zero.into_iter().map(|(turn, loss)| (turn, (100.0 * loss).round())).collect();
    // The first move is the bot's own choice, and nothing follows the last one.
    assert_eq!(rounded, [(1, 0.0), (2, 31.0), (3, 3.0)]);
    assert!(evaluation.losses(Player::One)[..2].iter().all(|(_, loss)| *loss == 0.0));
    assert_eq!(
        evaluation.marks(&evaluation.weigh(), contest())[0].words,
        "blunder: win chance from 45% to 14%"
    );
    // The sentence shows the values of the curve, not those of the player's own search.
    let mut evaluation = evaluation;
    evaluation.decisions[2].value = 0.55;
    assert_eq!(
        evaluation.marks(&evaluation.weigh(), contest())[0].words,
        "blunder: win chance from 50% to 14%"
    );
    // A value of one turn that the next one takes back is not on the curve, and a later recovery is no loss.
    let course = |values: &[f64]| Evaluation {
        decisions: (1..)
            .zip(values)
            .flat_map(|(turn, value)| [decision(turn, 0, *value, "y"), decision(turn, 1, 1.0 - value, "x")])
            .collect(),
        ..evaluation.clone()
    };
    let rounded = |values: &[f64]| -> Vec<f64> {
        let all = course(values).losses(Player::Zero);
        all.into_iter().map(|(_, loss)| (100.0 * loss).round()).collect()
    };
    assert_eq!(rounded(&[0.6, 0.7, 0.0, 0.9, 0.95]), [0.0, 0.0, 0.0, 0.0, 3.0]);
    assert_eq!(rounded(&[0.6, 0.6, 0.4, 0.4, 0.58, 0.6, 0.6])[1], 0.0);
}

/// If a player that plays the bot's own choice loses its chance, the turn has a mark without a better move.
#[test]
fn a_turn_lost_by_both_answers_has_its_own_mark() {
    let decision = |turn, player, value| GameDecision {
        turn,
        player,
        value,
        cost: Some(0.0),
        is_drawn: false,
        is_proven: false,
        played: "x".to_string(),
        best: "x".to_string(),
    };
    let course = |values: &[f64]| Evaluation {
        game: 1,
        moves: 0,
        bot: "b".to_string(),
        unit: SHARES[0].to_string(),
        version: VERSION,
        decisions: (1..)
            .zip(values)
            .flat_map(|(turn, value)| [decision(turn, 0, *value), decision(turn, 1, 1.0 - value)])
            .collect(),
    };
    let evaluation = course(&[0.5, 0.38, 0.03, 0.02]);
    let losses = evaluation.weigh();
    assert!(losses.costs.iter().all(|cost| *cost == Some(0.0)));
    let marks = evaluation.marks(&losses, contest());
    let shown: Vec<_> =
        marks.iter().map(|mark| (mark.turn, mark.player, mark.kind, &mark.better[..])).collect();
    assert_eq!(shown, [(1, 0, TOGETHER, ""), (2, 0, TOGETHER, "")]);
    let words = "win chance from 38% to 3%, but no mistake: in 0.1 s, the engine would have played the same";
    assert_eq!((&marks[1].words[..], &marks[1].against[..]), (words, "x"));
    let sides = Sides {
        turns: 4,
        contest: contest(),
        names: ["a".to_string(), "b".to_string()],
        result: Some(0.0),
        leads: vec![0.0; 5],
        decisions: 8,
    };
    let [_, summary] = evaluation.parts(&sides, true);
    assert!(
        summary.0.contains("no mistakes, <span")
            && summary.0.contains("2 turns went wrong all the same ↘")
            && summary.0.contains("both moving at once −"),
        "{}",
        summary.0
    );
    // A loss that the next turns take back is an error of the search.
    let evaluation = course(&[0.5, 0.03, 0.5, 0.5]);
    assert!(evaluation.marks(&evaluation.weigh(), contest()).is_empty());
}

/// The value of a move that the search did not try is a guess, so the loss is unknown. After a search, it is known.
#[test]
fn a_guess_is_no_loss() {
    let found = |effort: u64, other: u64| PositionAnalysis {
        picture: contender_game::board::Picture::default(),
        player: Player::Zero,
        played: Some("y".to_string()),
        analysis: contender_game::contest::Analysis::of(
            [("x", 3.0, other), ("y", 1.0, effort)]
                .map(|(mv, value, effort)| contender_game::contest::MoveAnalysis {
                    mv: mv.to_string(),
                    value: [value; 2],
                    is_proven: false,
                    effort,
                })
                .to_vec(),
        ),
        answer: vec!["x".to_string()],
    };
    let cost = |effort, other| searched(found(effort, other)).unwrap().cost;
    assert_eq!([cost(0, 40), cost(1, 40)], [None, Some(2.0)]);
    // A bot without such numbers has tried all moves.
    assert_eq!(cost(0, 0), Some(2.0));
    let mut evaluation = Evaluation {
        game: 1,
        moves: 0,
        bot: "b".to_string(),
        unit: String::new(),
        version: VERSION,
        decisions: Vec::new(),
    };
    evaluation.add(1, found(0, 40));
    assert_eq!(evaluation.doubts(), [0]);
    // A draw hides the loss of a move that no search tried, so the move has no mark.
    evaluation.decisions[0].is_drawn = true;
    let next = GameDecision { turn: 2, player: 1, value: 5.0, ..evaluation.decisions[0].clone() };
    evaluation.decisions.push(next);
    let losses = evaluation.weigh();
    assert_eq!((losses.costs[0], losses.luck[0]), (None, None));
    assert!(evaluation.marks(&losses, contest()).is_empty());
}
