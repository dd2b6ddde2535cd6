#!/usr/bin/env python3
"""Tests other tuners on known truths, with the same trials as `contender-lab tune --points DEVIATION`, so that the tables
can be compared.

    python3 -m venv venv && venv/bin/pip install optuna bask      # bask: the optimiser of chess-tuning-tools
    venv/bin/python lab/peers/tune.py optuna --parameters 3 --games 2000,8000
    python3 lab/peers/tune.py weather --parameters 3 --games 2000,8000         # weather-factory's schedule; needs nothing

Every parameter has its best place between 0.1 and 0.9 of its range, and loses the stake at half a range from it. A tuner
requests a point and gets the mean of some pairs against the start or another point. Its answer is the one its users would
take: Optuna's best trial, the best point of bask's mean, or the last point of weather-factory. If a tuner is not installed,
the script prints a notice and exits with 0.
"""

import argparse
import math
import random
import statistics
import sys


def optuna_tpe(measure, parameters, pairs, trials, seed):
    """Tree-structured Parzen estimator with default settings; the answer is the trial with the best result."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=seed))
    study.enqueue_trial({f"p{at}": 0.5 for at in range(parameters)})
    each = pairs // trials
    study.optimize(lambda trial: measure([trial.suggest_float(f"p{at}", 0, 1) for at in range(parameters)], each), n_trials=trials)
    return [study.best_params[f"p{at}"] for at in range(parameters)]


def bask_gp(measure, parameters, pairs, trials, seed):
    """Gaussian process with sampled hyperparameters; the answer is the best point of its mean."""
    import numpy
    from bask import Optimizer

    optimizer = Optimizer(dimensions=[(0.0, 1.0)] * parameters, n_points=500, n_initial_points=10, random_state=seed,
                          acq_func="mes", init_strategy="sb", gp_kwargs={"normalize_y": True})
    each = pairs // trials
    for _ in range(trials):
        point = optimizer.ask()
        # The optimiser minimises. It is given the noise of the mean, as in chess-tuning-tools.
        loss = -measure(point, each) / 100
        optimizer.tell(point, loss, noise_vector=(DEVIATION / 100) ** 2 / each, gp_samples=50, gp_burnin=2, n_samples=1)
    points = numpy.random.default_rng(seed).uniform(size=(5000, parameters))
    return list(points[int(numpy.argmin(optimizer.gp.predict(points)))])


def weather_factory(measure, parameters, pairs, trials, seed):
    """SPSA as in github.com/jnlt3/weather-factory (19b4805, spsa.py) with the constants of its spsa.json and the 16 games an
    iteration of its cutechess.json; A is a tenth of the games, and a step is worth 2.5 Elo, as its README recommends."""
    a, c, big_a, alpha, gamma = 1.0, 1.0, 2 * pairs / 10, 0.601, 0.102
    step = 0.5 * math.sqrt(2.5 / STAKE)
    luck = random.Random(seed)
    each, played, point = 8, 0, [0.5] * parameters
    clamp = lambda place: min(max(place, 0.0), 1.0)
    while 2 * pairs - played >= 2 * each:
        played += 2 * each
        a_t, c_t = a / (played + big_a) ** alpha, c / played**gamma
        delta = [luck.choice((-1, 1)) for _ in point]
        sides = [[clamp(place + side * d * step * c_t) for place, d in zip(point, delta)] for side in (1, -1)]
        # Losses minus wins: a pair's score above one half is worth 1600 / ln 10 Elo, and four times as much in wins minus losses.
        gradient = -measure(sides[0], each, sides[1]) * 4 / (1600 / math.log(10)) * each
        point = [clamp(place - gradient / (d * c_t) * a_t * step) for place, d in zip(point, delta)]
    return point


TUNERS = {"optuna": optuna_tpe, "bask": bask_gp, "weather": weather_factory}


def main():
    global DEVIATION, STAKE
    arguments = argparse.ArgumentParser(description="Other people's tuners where the truth is known.")
    arguments.add_argument("tuner", choices=TUNERS)
    arguments.add_argument("--parameters", type=int, default=3)
    arguments.add_argument("--games", default="2000,8000", help="games of a tuning, of which each has a row")
    arguments.add_argument("--stake", type=float, default=40.0)
    arguments.add_argument("--points", type=float, default=155.4, help="standard deviation of a pair")
    arguments.add_argument("--trials", type=int, default=100, help="points that a tuning tries")
    arguments.add_argument("--rounds", type=int, default=100)
    arguments.add_argument("--seed", type=int, default=1)
    args = arguments.parse_args()
    DEVIATION, STAKE = args.points, args.stake
    try:
        if args.tuner != "weather":
            __import__(args.tuner)
    except ImportError:
        print(f"skipped: {args.tuner} is not installed")
        return
    print(f"{args.tuner}, {args.parameters} parameters, stake {args.stake}, deviation {args.points}, {args.trials} points, seed {args.seed}")
    print("  games  tunings  mean loss        95%  distance")
    for games in map(int, args.games.split(",")):
        losses, distances = [], []
        for tuning in range(args.rounds):
            luck = random.Random(args.seed * 1_000_003 + tuning)
            best = [0.1 + 0.8 * luck.random() for _ in range(args.parameters)]

            def strength(point):
                return -args.stake * sum(((place - at) / 0.5) ** 2 for place, at in zip(point, best))

            def measure(point, pairs, against=(0.5,) * args.parameters):
                return strength(point) - strength(against) + luck.gauss(0, DEVIATION / math.sqrt(pairs))

            answer = TUNERS[args.tuner](measure, args.parameters, games // 2, args.trials, tuning)
            losses.append(-strength(answer))
            distances += [abs(place - at) for place, at in zip(answer, best)]
        error = 1.96 * statistics.stdev(losses) / math.sqrt(len(losses)) if len(losses) > 1 else math.nan
        worst = sorted(losses)[math.ceil(0.95 * len(losses)) - 1]
        print(f"{games:7}  {args.rounds:7}  {statistics.mean(losses):6.2f} ± {error:4.2f}  {worst:7.2f}  {100 * statistics.mean(distances):7.1f}%")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
