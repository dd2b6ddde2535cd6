#!/usr/bin/env node
// Makes the short animation of the web app for the documentation: a game against a bot, a hint, and the mistake of a
// recorded game:
//
//   scripts/web-loop.mjs [CONTENDER]      default: target/release/contender
//
// Needs Node 20, chromedriver (scripts/install-browser.sh) and img2webp (the Debian package `webp`). Writes
// docs/images/web-loop.webp, at 800 x 450. Takes about one minute.
import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { browse, sleep } from "./web-driver.mjs";

const contender = resolve(process.argv[2] ?? "target/release/contender");
const output = resolve(import.meta.dirname, "../docs/images/web-loop.webp");
const folder = mkdtempSync(join(tmpdir(), "contender-"));
execFileSync(contender, ["match", "uttt", "classic", "bronze", "--pairs", "1", "--nodes", "500", "--seed", "1", "--log", "uttt.jsonl", "--quiet"], { cwd: folder, stdio: "ignore" });
const { open, run, picture, close } = await browse(contender, folder, 9801, [1280, 720], 0.625);
/** Waits until an expression of the page is true. */
const until = async (condition) => {
  for (let left = 300; left > 0; left--) {
    if (await run(`return Boolean(${condition})`)) return sleep(300);
    await sleep(200);
  }
  throw new Error(`never: ${condition}`);
};
/** The frames: file and duration in milliseconds. */
const frames = [];
const shoot = async (duration) => {
  const file = join(folder, `frame-${frames.length}.png`);
  writeFileSync(file, await picture());
  frames.push([file, duration]);
};
try {
  // Some moves against a bot, then a hint.
  await open("/play?game=uttt&bot=bronze&seat=0&time=100&seed=3");
  for (const at of [40, 4, 7]) {
    await until("document.querySelector('.square.open')");
    await shoot(900);
    const before = await run("return document.querySelectorAll('#moves li').length");
    await run(`const open = [...document.querySelectorAll('.square.open')]; const place = open[${at} % open.length].getBoundingClientRect();
      const [clientX, clientY] = [place.x + place.width / 2, place.y + place.height / 2];
      document.elementFromPoint(clientX, clientY).dispatchEvent(new MouseEvent('click', { bubbles: true, clientX, clientY }));`);
    await until(`document.querySelectorAll('#moves li').length > ${before}`);
  }
  await until("document.querySelector('.square.open')");
  await run("document.querySelector('#hint').click()");
  await until("document.querySelector('.square.hinted')");
  await shoot(2200);
  // The mistakes of a recorded game.
  await open("/replay?file=uttt.jsonl&game=1&turn=6");
  await until("document.querySelector('#evaluate')");
  await shoot(900);
  await run("document.querySelector('#evaluate').click()");
  await until("!document.querySelector('#evaluate')");
  await run("document.querySelector('#first').click()");
  await sleep(400);
  await shoot(900);
  // Some mistakes are small; a blunder shows more.
  for (let left = 12; left > 0 && !(await run("return document.querySelector('#verdict').textContent.includes('blunder')")); left--) {
    await run("document.querySelector('#mistake').click()");
    await sleep(600);
  }
  await until("document.querySelector('#board svg .played')");
  await shoot(2800);
} finally {
  await close();
}
execFileSync("img2webp", ["-loop", "0", "-lossy", "-q", "70", ...frames.flatMap(([file, duration]) => ["-d", String(duration), file]), "-o", output], { stdio: "ignore" });
