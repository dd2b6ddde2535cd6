// @ts-check
// Shows a game in the challenge's own viewer, a frame that is told what to show as CodinGame's own page tells it
// (codingame-game-engine, runner/src/main/resources/view/app.js). Nothing that the frame says is believed but that it
// is ready.

const frame = /** @type {HTMLIFrameElement} */ (document.getElementById("viewer"));
const state = /** @type {HTMLElement} */ (document.getElementById("viewer-state"));

/** @param {object} message */
const tell = (message) => frame.contentWindow?.postMessage(message, "*");

/**
 * The log as the viewer takes it: a frame for each view, with what was said in it.
 * @param {any} log
 */
function game(log) {
  const ids = Object.keys(log.ids ?? {});
  const frames = (log.views ?? []).map((/** @type {string} */ view, /** @type {number} */ at) => {
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
  // Pictures of players lie in the network.
  const agents = (log.agents ?? []).map((/** @type {any} */ agent) => ({ ...agent, avatar: null, avatarUrl: null }));
  return { agents, frames, tooltips: (log.tooltips ?? []).map((/** @type {any} */ tip) => JSON.stringify(tip)) };
}

let isTold = false;

addEventListener("message", async (event) => {
  if (event.source !== frame.contentWindow || event.data?.type !== "ready" || isTold) return;
  isTold = true;
  const answer = await fetch(/** @type {string} */ (frame.dataset.log));
  if (!answer.ok) {
    state.textContent = "The log cannot be read.";
    return;
  }
  const log = await answer.json();
  const base = new URL(".", frame.src).href;
  tell({ type: "libraries", libraries: { PIXI6: "./lib/pixi6.js" } });
  tell({ type: "baseUrl", baseUrl: base });
  tell({ type: "language", lang: "en" });
  tell({ type: "options", options: { showConsole: false, showRankings: false, asyncRendering: true, shareable: false, showReplayPrompt: false } });
  tell({ type: "viewer", viewerUrl: `${base}core/Drawer.js` });
  tell({ type: "frames", gameInfo: game(log) });
  state.textContent = "";
});
// It may have been ready before this script was.
tell({ type: "ready" });
