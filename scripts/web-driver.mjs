// Opens the web app in a headless Chromium, for scripts that take pictures. Needs Node 20 and chromedriver.
import { spawn } from "node:child_process";

export const sleep = (time) => new Promise((go) => setTimeout(go, time));

/**
 * Starts `contender web` in a folder and a browser whose window has this size in CSS pixels. `scale` is the number of
 * pixels of a picture per CSS pixel.
 */
export async function browse(contender, folder, port, [width, height], scale = 1) {
  const server = spawn(contender, ["web", "--port", "0", "."], { cwd: folder });
  const url = await new Promise((found) => server.stdout.on("data", (text) => {
    const match = String(text).match(/http:\S+/);
    if (match) found(match[0]);
  }));
  const driver = spawn("chromedriver", [`--port=${port}`], { stdio: "ignore" });
  const call = async (method, path, body) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, body: body && JSON.stringify(body) });
    const { value } = await answer.json();
    if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(value).slice(0, 300)}`);
    return value;
  };
  await sleep(2000);
  const options = { args: ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"] };
  const session = `/session/${(await call("POST", "/session", { capabilities: { alwaysMatch: { "goog:chromeOptions": options } } })).sessionId}`;
  const page = {
    open: (path) => call("POST", `${session}/url`, { url: new URL(path, url).href }),
    run: (script) => call("POST", `${session}/execute/sync`, { script, args: [] }),
    command: (cmd, params) => call("POST", `${session}/goog/cdp/execute`, { cmd, params }),
    picture: async () => Buffer.from(await call("GET", `${session}/screenshot`), "base64"),
    close: async () => {
      await call("DELETE", session).catch(() => {});
      driver.kill();
      server.kill();
    },
  };
  await page.command("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: scale, mobile: false });
  await page.open(url);
  return page;
}
