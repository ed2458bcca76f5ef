// Trainings and tournaments of a folder, read again every few seconds.

import { ask, attempt, find, node, svgNode } from "./dom.js";

const EVERY = 5000; // milliseconds
const LINES = ["#a3341f", "#1f5fa3", "#2c7a3a", "#7b3fa0", "#8a6100", "#00747a"];
const percent = (share) => `${(100 * share).toFixed(1)} %`;
let last = "";
const opened = new Set(); // runs whose games are shown

function training(run) {
  const share = Math.min(1, run.done / run.planned);
  const names = Object.keys(run.lines);
  return node("section", {}, node("h2", {}, run.name),
    node("p", {}, `training, recipe ${run.recipe}: ${run.done.toLocaleString("en")} of ${run.planned.toLocaleString("en")} decisions `, node("progress", { max: 1, value: share })),
    curves(run, names),
    node("p", { class: "keys" }, ...names.flatMap((name, k) => [colour(node("span", { class: "key" }, `share of the wins against ${name} `), k)])));
}

function colour(element, k) {
  element.style.color = LINES[k % LINES.length];
  return element;
}

function curves(run, names) {
  const [width, height] = [480, 180];
  const x = (decisions) => 6 + (decisions / Math.max(1, run.planned)) * (width - 12);
  const y = (part) => height - 6 - part * (height - 12);
  const lines = names.map((name, k) => svgNode("polyline", {
    points: run.lines[name].map(([decisions, part]) => `${x(decisions)},${y(part)}`).join(" "), fill: "none", stroke: LINES[k % LINES.length], "stroke-width": 2.5 }));
  const dots = names.flatMap((name, k) => run.lines[name].map(([decisions, part]) => svgNode("circle", { cx: x(decisions), cy: y(part), r: 3, fill: LINES[k % LINES.length] })));
  const ticks = [0, 0.5, 1].map((part) => svgNode("text", { x: 4, y: Math.max(14, y(part) - 2), class: "tick" }, percent(part)));
  const level = run.fair ? [svgNode("line", { x1: 0, x2: width, y1: y(run.fair), y2: y(run.fair), class: "fair" })] : [];
  return svgNode("svg", { viewBox: `0 0 ${width} ${height}`, class: "run-curve", role: "img", "aria-label": "shares of the wins during training" }, ...ticks, ...level, ...lines, ...dots);
}

function tournament(run) {
  const head = ["agent", "games", "share of the wins", "rating", "VP", "ms per decision"];
  const row = (each) => [node("a", { href: "#", onclick: (event) => { event.preventDefault(); showGames(run.name, each.agent); } }, each.agent),
    each.games, `${percent(each.wins[0])} (${percent(each.wins[1])} to ${percent(each.wins[2])})`, each.rating ?? "", each.vp ?? "", each.milliseconds];
  return node("section", { "data-run": run.name }, node("h2", {}, run.name), node("p", {}, `tournament, ${run.games} games`),
    node("div", { class: "scrolls" }, node("table", {}, node("tr", {}, ...head.map((name) => node("th", {}, name))),
      ...run.agents.map((each) => node("tr", {}, ...row(each).map((cell) => node("td", {}, cell instanceof Node ? cell : String(cell))))))),
    node("div", { class: "games scrolls" }));
}

const showGames = attempt(async (run, agent) => {
  opened.add(run);
  const { games } = await ask(`/api/runs/${encodeURIComponent(run)}/games?agent=${encodeURIComponent(agent)}`);
  const again = (game) => attempt(async () => { location.href = (await ask(`/api/runs/${encodeURIComponent(run)}/games/${game}`, {})).host; });
  const rows = games.map((game) => node("tr", {}, node("td", {}, String(game.game)), node("td", {}, game.agents.map((name, k) => `${name} ${game.vp[k]}`).join(", ")),
    node("td", {}, `${game.rounds} rounds`), node("td", {}, node("button", { type: "button", onclick: again(game.game) }, "watch it again"))));
  find(`[data-run="${CSS.escape(run)}"] .games`).replaceChildren(node("table", {}, node("caption", {}, `games of ${agent}: agents with their VP`), ...rows));
});

function show({ folder, runs }) {
  find("#folder").textContent = runs.length ? `Folder ${folder}, read again every ${EVERY / 1000} seconds.` : `There are no trainings or tournaments in ${folder} yet.`;
  const kinds = { training, tournament, unreadable: (run) => node("section", {}, node("h2", {}, run.name), node("p", {}, run.error)) };
  find("#runs").replaceChildren(...runs.map((run) => kinds[run.kind](run)));
}

const read = attempt(async () => {
  const found = await ask("/api/runs");
  const text = JSON.stringify(found);
  if (text !== last && !opened.size) show(found);
  last = text;
});
read();
setInterval(read, EVERY);
