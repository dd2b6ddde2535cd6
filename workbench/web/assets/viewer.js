// @ts-check
// Shows a game in the challenge's viewer. The viewer is a frame that gets the same messages as on CodinGame's
// page (codingame-game-engine, runner/src/main/resources/view/app.js). From the frame, only two messages are accepted:
// that it is ready, or that it has failed.

const frame = /** @type {HTMLIFrameElement} */ (document.getElementById("viewer"));
const names = frame.dataset.names?.split("\n") ?? [];
const state = /** @type {HTMLElement} */ (document.getElementById("viewer-state"));

/** @param {object} message */
const tell = (message) => frame.contentWindow?.postMessage(message, "*");

/**
 * Returns the log in the format of the viewer: a frame for each view, with its messages.
 * @param {any} log
 */
function game(log) {
  const ids = Object.keys(log.ids ?? {});
  // The engine writes no view for the frame of a failed turn.
  const frames = (log.views ?? []).map((/** @type {string | null} */ found, /** @type {number} */ at) => {
    const view = found ?? "";
    /** @type {any} */
    const frame = {
      view: view.replace(/^(KEY_FRAME)|(INTERMEDIATE_FRAME)/, ""),
      keyframe: view.startsWith("KEY_FRAME"),
      gameSummary: log.summaries?.[at],
      referee: { stdout: log.outputs.referee?.[at] || undefined, stderr: log.errors.referee?.[at] || undefined },
    };
    for (const id of ids) {
      const [stdout, stderr] = [log.outputs[id]?.[at], log.errors[id]?.[at]];
      if (stdout || stderr) frame.agentId = id;
      if (stdout) frame.stdout = stdout;
      if (stderr) frame.stderr = stderr;
    }
    return frame;
  });
  const agents = (log.agents ?? []).map((/** @type {any} */ agent) => {
    const avatar = picture(Number(agent.index ?? 0));
    return { ...agent, name: names[Number(agent.index ?? 0)] || agent.name, avatar, avatarUrl: avatar };
  });
  return { agents, frames, tooltips: (log.tooltips ?? []).map((/** @type {any} */ tip) => JSON.stringify(tip)) };
}

/**
 * Returns a player's picture, which shows the player's number. The site's pictures would need network access, and
 * viewers fail without a picture.
 * @param {number} player
 */
function picture(player) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 128;
  const context = canvas.getContext("2d");
  if (!context) return null;
  context.fillStyle = `hsl(${(20 + 180 * player) % 360} 60% 35%)`;
  context.fillRect(0, 0, 128, 128);
  context.fillStyle = "white";
  context.font = "bold 88px sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(String(player), 64, 68);
  return canvas.toDataURL();
}

let isTold = false;

addEventListener("message", async (event) => {
  if (event.source !== frame.contentWindow) return;
  if (event.data?.type === "error") {
    state.textContent = `The viewer has failed: ${String(event.data.error?.message ?? "").slice(0, 300)}`;
  }
  if (event.data?.type !== "ready" || isTold) return;
  isTold = true;
  const answer = await fetch(/** @type {string} */ (frame.dataset.log));
  if (!answer.ok) {
    state.textContent = "The log cannot be read.";
    return;
  }
  const log = await answer.json();
  if (!log.views?.some((/** @type {string | null} */ view) => view)) {
    state.textContent = "This log was saved without views, so the viewer has nothing to show.";
    return;
  }
  const base = new URL(".", frame.src).href;
  tell({ type: "libraries", libraries: { PIXI6: "./lib/pixi6.js" } });
  tell({ type: "baseUrl", baseUrl: base });
  tell({ type: "language", lang: "en" });
  tell({ type: "options", options: { showConsole: false, showRankings: false, asyncRendering: true, shareable: false, showReplayPrompt: false } });
  tell({ type: "viewer", viewerUrl: `${base}core/Drawer.js` });
  tell({ type: "frames", gameInfo: game(log) });
  state.textContent = "";
});
// The frame may have been ready before this script.
tell({ type: "ready" });
