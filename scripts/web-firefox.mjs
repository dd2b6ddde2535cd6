#!/usr/bin/env -S node --experimental-websocket
// Opens the pages of a running web app in Firefox, wide and narrow, and prints every error, failed request and page that
// scrolls sideways. Follows links, at most two of each form.
//
//   scripts/web-firefox.mjs ADDRESS [PAGES]      ADDRESS as `contender web` prints it, with the token; default: 60 pages
//
// Needs Node 20 and Firefox (`apt install firefox-esr`). Exits with 1 if it finds a fault.
import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const start = new URL(process.argv[2]);
const most = Number(process.argv[3] ?? 60);
const port = 9333;
const profile = mkdtempSync(join(tmpdir(), "firefox-"));
const words = ["--headless", "--no-remote", "--profile", profile, `--remote-debugging-port=${port}`];
const firefox = spawn("firefox-esr", words, { stdio: "ignore" });
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** Connects to the browser (WebDriver BiDi) once it listens. */
async function connect() {
  for (let tries = 60; ; tries--) {
    try {
      return await new Promise((done, failed) => {
        const socket = new WebSocket(`ws://127.0.0.1:${port}/session`);
        socket.onopen = () => done(socket);
        socket.onerror = failed;
      });
    } catch (error) {
      if (tries === 0) throw error;
      await pause(500);
    }
  }
}

let page = "";
let faults = 0;
const fault = (words) => {
  faults += 1;
  console.log(`${page}: ${words}`);
};
const socket = await connect();
const waiting = new Map();
socket.onmessage = ({ data }) => {
  const { id, method, params, result, message } = JSON.parse(data);
  if (id !== undefined) {
    const [done, failed] = waiting.get(id);
    message ? failed(new Error(message)) : done(result);
  } else if (method === "log.entryAdded" && ["warn", "error"].includes(params.level)) {
    fault(`${params.level}: ${params.text}`);
  } else if (method === "network.responseCompleted" && params.response.status >= 400) {
    fault(`${params.response.status} for ${params.response.url}`);
  }
};
const call = (method, params = {}) =>
  new Promise((done, failed) => {
    const id = waiting.size;
    waiting.set(id, [done, failed]);
    socket.send(JSON.stringify({ id, method, params }));
  });
await call("session.new", { capabilities: {} });
await call("session.subscribe", { events: ["log.entryAdded", "network.responseCompleted"] });
const { context } = await call("browsingContext.create", { type: "tab" });
const evaluate = async (expression) => {
  const script = { expression: `JSON.stringify(${expression})`, target: { context }, awaitPromise: false };
  return JSON.parse((await call("script.evaluate", script)).result.value);
};

/** The form of an address: numbers and values of parameters are left out. */
const form = (link) => link.replace(/=[^&]*/g, "=").replace(/\d+/g, "0");
const LINKS = "[...document.querySelectorAll('a[href^=\"/\"]')].map((link) => link.getAttribute('href').split('#')[0])";
const seen = new Set(["/"]);
const forms = new Map();
const queue = [start.pathname + start.search];
let count = 0;
for (; queue.length > 0 && count < most; count++) {
  page = queue.shift();
  for (const [width, height] of [[1280, 800], [390, 844]]) {
    await call("browsingContext.setViewport", { context, viewport: { width, height } });
    await call("browsingContext.navigate", { context, url: start.origin + page, wait: "complete" });
    await pause(500);
    const beyond = await evaluate("document.documentElement.scrollWidth - innerWidth");
    if (beyond > 0) fault(`scrolls sideways by ${beyond} px at ${width} px`);
  }
  for (const link of await evaluate(LINKS)) {
    // Files to download are no pages.
    if (seen.has(link) || /\/(record|input|picture|download)/.test(link)) continue;
    seen.add(link);
    const known = forms.get(form(link)) ?? 0;
    forms.set(form(link), known + 1);
    if (known < 2) queue.push(link);
  }
}
console.log(`${count} pages opened in Firefox, ${faults} faults`);
await call("browser.close").catch(() => {});
firefox.kill();
process.exit(faults > 0 ? 1 : 0);
