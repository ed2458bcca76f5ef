// Trainings, tournaments and balance experiments of a folder, read again every few seconds.

import { ask, attempt, find, node, svgNode } from "./dom.js";

const EVERY = 5000; // milliseconds
const LINES = ["#a3341f", "#1f5fa3", "#2c7a3a", "#7b3fa0", "#8a6100", "#00747a"];
const percent = (share) => `${(100 * share).toFixed(1)} %`;
let last = "";
const opened = new Map(); // run -> element with its games

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
    gamesOf(run.name));
}

/** The element for the games of a run. It is kept when the page is read again. */
function gamesOf(run) {
  if (!opened.has(run)) opened.set(run, node("div", { class: "games scrolls", "aria-live": "polite" }));
  return opened.get(run);
}

function playing(run) {
  return node("section", {}, node("h2", {}, run.name), node("p", {}, `tournament, being played or interrupted: ${run.games} games so far`));
}

function balance(run) {
  const progress = run.planned ? [` of ${run.planned.toLocaleString("en")} games `, node("progress", { max: 1, value: Math.min(1, run.done / run.planned) })] : [" games"];
  return node("section", { "data-run": run.name }, node("h2", {}, run.name),
    node("p", {}, `balance experiment ${run.experiment}: ${run.done.toLocaleString("en")}`, ...progress),
    ...run.measures.map((measure, k) => node("details", { open: k === 0 }, node("summary", {}, title(measure)), results(run.name, measure))),
    gamesOf(run.name));
}

const title = ({ name, rows, of }) => (rows.length < of ? `${name}: the ${rows.length} clearest of ${of} results` : name);

/** A table of values with their intervals, as numbers and drawn on a common scale. */
function results(run, measure) {
  const shown = (value) => (measure.share ? percent(value) : value.toFixed(1));
  const known = measure.rows.flatMap(({ value, low, high, reference }) => [value, low, high, reference]).filter((number) => number !== null);
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const x = (number) => 4 + (152 * (number - least)) / Math.max(1e-9, most - least);
  const drawn = ({ value, low, high, reference }) => svgNode("svg", { viewBox: "0 0 160 18", class: "interval", "aria-hidden": "true" },
    ...(reference === null ? [] : [svgNode("line", { x1: x(reference), x2: x(reference), y1: 0, y2: 18, class: "fair" })]),
    ...(low === null || high === null ? [] : [svgNode("line", { x1: x(low), x2: x(high), y1: 9, y2: 9, class: "span" })]),
    svgNode("circle", { cx: x(value), cy: 9, r: 3.5 }));
  const link = (row) => node("a", { href: "#", onclick: (event) => { event.preventDefault(); showGames(run, row.agent, { players: row.players, level: row.level }); } }, row.level || measure.name);
  const interval = ({ low, high }) => (low === null || high === null ? "" : ` (${shown(low)} to ${shown(high)})`);
  const cells = (row) => [link(row), row.agent, String(row.players), `${shown(row.value)}${interval(row)}`, drawn(row), row.reference === null ? "" : shown(row.reference), row.finding];
  const head = ["", "agent", "players", "value (95 % interval)", "", "reference", "finding"];
  return node("div", { class: "scrolls" }, node("table", {}, node("tr", {}, ...head.map((name) => node("th", {}, name))),
    ...measure.rows.map((row) => node("tr", {}, ...cells(row).map((cell) => node("td", {}, cell))))));
}

const showGames = attempt(async (run, agent, result = {}) => {
  const { games } = await ask(`/api/runs/${encodeURIComponent(run)}/games?${new URLSearchParams({ agent, ...result })}`);
  const again = (game) => attempt(async () => { location.href = (await ask(`/api/runs/${encodeURIComponent(run)}/games/${game}`, {})).host; });
  const rows = games.map((game) => node("tr", {}, node("td", {}, String(game.seed)), node("td", {}, game.agents.map((name, k) => `${name} ${game.vp[k]}`).join(", ")),
    node("td", {}, game.rounds ? `${game.rounds} rounds` : ""), node("td", {}, node("button", { type: "button", onclick: again(game.game) }, "watch it again"))));
  const what = [agent, result.level].filter(Boolean).join(", ");
  const head = node("tr", {}, ...["seed", "seats", "", ""].map((name) => node("th", {}, name)));
  gamesOf(run).replaceChildren(rows.length ? node("table", {}, node("caption", {}, `games of ${what}: agents with their VP`), head, ...rows)
    : node("p", {}, `There are no games of ${what} that can be watched: they are not stored, or only the experiment can play them.`));
  gamesOf(run).scrollIntoView({ block: "nearest" });
});

function show({ folder, runs }) {
  find("#folder").textContent = runs.length ? `Folder ${folder}, read again every ${EVERY / 1000} seconds.` : `There are no trainings, tournaments and balance experiments in ${folder} yet.`;
  const kinds = { training, tournament, playing, balance, unreadable: (run) => node("section", {}, node("h2", {}, run.name), node("p", {}, run.error)) };
  find("#runs").replaceChildren(...runs.map((run) => kinds[run.kind](run)));
}

const read = attempt(async () => {
  const found = await ask("/api/runs");
  const text = JSON.stringify(found);
  if (text !== last) show(found);
  last = text;
});
read();
setInterval(read, EVERY);
