#!/usr/bin/env node
// Takes the pictures of the web app at 1600 x 900, and draws the boards, for the documentation, from games of real bots:
//
//   scripts/web-pictures.mjs [CONTENDER]      default: target/release/contender
//
// Needs Node 20 and chromedriver (scripts/install-browser.sh). Writes docs/images/web-*.png, and the pages in DARK also in dark,
// and docs/images/board-*.svg. Takes about ten minutes.
import { spawn, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { browse, sleep } from "./web-driver.mjs";

const contender = resolve(process.argv[2] ?? "target/release/contender");
const images = resolve(import.meta.dirname, "../docs/images");
const folder = join(mkdtempSync(join(tmpdir(), "contender-")), "my-bots");

/** Runs a command of Contender in the project, without its progress. */
const run = (...words) => execFileSync(contender, words, { cwd: folder, stdio: "ignore" });
/** Evaluates the whole game, and goes to a mistake. */
const EVALUATE = "document.querySelector('#evaluate')?.click()";
const PICTURES = [
  ["home", "/", 1500, ""],
  ["replay-cellularena", "/replay?file=cellularena.jsonl&game=1&turn=12", 90_000, EVALUATE],
  ["game", "/replay?file=uttt.jsonl&game=1&turn=22", 12_000, EVALUATE],
  ["league", "/league?dir=ladder", 1500, ""],
  ["match", "/match?file=uttt.jsonl&sprt=0,20", 1500, ""],
  ["review", "/review?file=uttt.jsonl&player=bronze", 30_000, ""],
  ["analyse", "/analyse?game=uttt&budget=5s&moves=4%204%0A3%205%0A0%207%0A2%204%0A6%204", 7000, ""],
  ["training", "/training?dir=first&other=second&across=games", 1500, ""],
  ["play", "/play?game=entropy&bot=champion&seat=0&seed=3", 3000, ""],
];

/** The pages whose pictures are also taken in dark. */
const DARK = ["home"];
/** The games whose boards are drawn, each after so many turns that much of the board is full. */
const BOARDS = [["box", 18], ["cellularena", 40], ["entropy", 70], ["spaghetti", 44], ["uttt", 30]];
/** The bots of the league: name and command. */
const TWELVE = [
  ...["random", "greedy", "bronze", "classic", "uct", "alphabeta", "solver", "champion"].map((name) => [name, name]),
  ["uct-wide", "uct:c=1"], ["uct-winning", "uct:rollouts=winning"], ["shallow", "alphabeta:depth=2"], ["classic-bold", "classic:draw=0.5"],
];

execFileSync("mkdir", ["-p", folder]);
for (const [game, a, b, pairs] of [["entropy", "champion", "greedy", 4], ["box", "champion", "greedy", 2], ["spaghetti", "champion", "greedy", 4],
  ["cellularena", "champion", "classic", 2], ["uttt", "classic", "bronze", 50]]) {
  run("match", game, a, b, "--pairs", String(pairs), "--nodes", "500", "--seed", "1", "--log", `${game}.jsonl`, "--quiet");
}
for (const [game, turn] of BOARDS) {
  run("replay", `${game}.jsonl`, "--number", "1", "--turn", String(turn), "--svg", join(images, `board-${game}.svg`));
}
run("league", "--dir", "ladder", "init", "uttt");
const settings = join(folder, "ladder/league.toml");
writeFileSync(settings, readFileSync(settings, "utf8").replace("# nodes = 1000", "nodes = 200"));
for (const [name, bot] of TWELVE) run("league", "--dir", "ladder", "add", "--no-check", name, bot);
run("league", "run", "--dir", "ladder", "--duration", "60s", "--quiet");
// Two trainings with different rates of learning.
for (const [name, rate] of [["first", "0.05"], ["second", "0.01"]]) {
  const recipe = readFileSync(resolve(import.meta.dirname, "../games/entropy/train.toml"), "utf8");
  writeFileSync(join(folder, `${name}.toml`), recipe.replace("start = 0.05", `start = ${rate}`).replace(/^count = .*/m, "count = 12"));
  run("train", `${name}.toml`, "-o", name, "--games", "6000", "--quiet");
}
// The league plays on while its picture is taken.
const league = spawn(contender, ["league", "run", "--dir", "ladder", "--quiet"], { cwd: folder, stdio: "ignore" });

const { open, run: evaluate, command, picture, close } = await browse(contender, folder, 9800, [1600, 900]);
try {
  for (const [name, path, time, script] of PICTURES) {
    for (const theme of DARK.includes(name) ? ["light", "dark"] : ["light"]) {
      const features = [{ name: "prefers-color-scheme", value: theme }];
      await command("Emulation.setEmulatedMedia", { features });
      await open(path);
      if (script) await evaluate(script);
      await sleep(time);
      writeFileSync(join(images, `web-${name}${theme === "dark" ? "-dark" : ""}.png`), await picture());
    }
  }
} finally {
  await close();
  league.kill("SIGINT");
}
