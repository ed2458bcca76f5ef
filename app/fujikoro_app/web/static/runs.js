// Trainings, tournaments, balance experiments and results of teams of a folder, read again every few seconds.

import { ask, attempt, find, node, svgNode } from "./dom.js";

const EVERY = 5000; // milliseconds
const COLOURS = 6; // of lines, in the style sheet
const percent = (share) => `${(100 * share).toFixed(1)} %`;
const count = (number) => number.toLocaleString("en");
const range = ([value, low, high]) => `${percent(value)} (${percent(low)} to ${percent(high)})`;
const shown = new Map(); // run -> its data as text, and its section
const opened = new Map(); // run -> element with its games

// trainings

function training(run) {
  const names = [...new Set(run.evaluations.flatMap((row) => row.matches.map((match) => match.line)))];
  const isOfRounds = run.rounds !== null;
  const progress = isOfRounds ? `round ${run.round ?? 0} of ${run.rounds}` : `${count(run.done)} of ${count(run.planned)} decisions`;
  const share = isOfRounds ? ((run.round ?? -1) + 1) / (run.rounds + 1) : Math.min(1, run.done / run.planned);
  return section(run, [`training, recipe ${run.recipe}: ${progress} `, bar(share)],
    run.evaluations.length ? curves(run, names) : node("p", {}, "Nothing has been evaluated yet."),
    node("p", { class: "keys" }, ...names.map((name, k) => node("span", { class: `key ${line(k)}` }, `wins ${name} `))),
    evaluations(run, names));
}

const bar = (share) => node("progress", { max: 1, value: share, "aria-label": "progress" });

const line = (k) => `line-${k % COLOURS}`;

function curves(run, names) {
  const [width, height, left] = [480, 196, 56];
  const most = Math.max(1, run.planned ?? 0, run.done);
  const x = (decisions) => left + (decisions / most) * (width - left - 8);
  const y = (part) => height - 24 - part * (height - 32);
  const points = names.map((name) => run.evaluations.flatMap((row) => row.matches.filter((match) => match.line === name).map((match) => [row, match])));
  const lines = points.map((found, k) => svgNode("polyline", {
    points: found.map(([row, match]) => `${x(row.decisions)},${y(match.share[0])}`).join(" "), fill: "none", stroke: "currentColor", "stroke-width": 2.5, class: line(k) }));
  const dots = points.flatMap((found, k) => found.map(([row, match]) => dot(run, row, match, { cx: x(row.decisions), cy: y(match.share[0]), class: `link ${line(k)}` })));
  const ticks = [0, 0.5, 1].flatMap((part) => [
    svgNode("line", { x1: left, x2: width, y1: y(part), y2: y(part), class: "grid" }),
    svgNode("text", { x: left - 6, y: y(part) + 4, class: "tick", "text-anchor": "end" }, `${100 * part} %`)]);
  const level = run.fair ? [svgNode("line", { x1: left, x2: width, y1: y(run.fair), y2: y(run.fair), class: "fair" })] : [];
  const ends = [[0, "start"], [most, "end"]].map(([decisions, anchor]) => svgNode("text", { x: x(decisions), y: height - 4, class: "tick", "text-anchor": anchor }, count(decisions)));
  return svgNode("svg", { viewBox: `0 0 ${width} ${height}`, class: "run-curve", role: "img", "aria-label": "share of the wins during the training; the table below has the numbers" }, ...ticks, ...ends, ...level, ...lines, ...dots);
}

/** A point of a curve. A click lists the games of the evaluation. */
function dot(run, row, match, attributes) {
  const made = svgNode("circle", { r: 4, fill: "currentColor", ...attributes }, svgNode("title", {}, `${count(row.decisions)} decisions, ${match.line}: ${range(match.share)}`));
  made.addEventListener("click", () => showMatch(run, row, match));
  return made;
}

const showMatch = (run, row, match) => showGames(run.name, `the evaluation after ${count(row.decisions)} decisions ${match.line}`,
  { decisions: row.decisions, opponent: match.opponent, games_of: match.games_of });

function evaluations(run, names) {
  if (!run.evaluations.length) return null;
  const cell = (row, name) => {
    const match = row.matches.find((each) => each.line === name);
    return match ? link(range(match.share), () => showMatch(run, row, match)) : "";
  };
  return node("details", { "data-key": "evaluations" }, node("summary", {}, `${run.evaluations.length} evaluations, with games`),
    table(["decisions", "minutes", ...names.map((name) => `wins ${name}`)],
      run.evaluations.map((row) => [count(row.decisions), (row.seconds / 60).toFixed(1), ...names.map((name) => cell(row, name))])));
}

// tournaments

function tournament(run) {
  const games = (agent, against = "") => showGames(run.name, against ? `${agent} and ${against}` : agent, { agent, ...(against ? { against } : {}) });
  const state = run.saved === null ? `tournament, ${count(run.games)} games`
    : `tournament, being played or interrupted: ${count(run.games)} games so far, the last one saved at ${new Date(1000 * run.saved).toLocaleTimeString("en-GB")}`;
  const columns = [
    ["agent", (each) => link(each.agent, () => games(each.agent))],
    ["games", (each) => count(each.games)],
    ["share of the wins (95 % interval)", (each) => range(each.wins)],
    ["", (each) => interval(each.wins, each.fair, 0, 1)],
    ["rating", (each) => each.rating],
    ["VP", (each) => each.vp],
    ["ms per decision", (each) => each.milliseconds],
  ].filter(([name, of]) => !name || run.agents.some((each) => of(each) !== null));
  const standings = table(columns.map(([name]) => name), run.agents.map((each) => columns.map(([, of]) => of(each))), (k) => games(run.agents[k].agent));
  if (!run.agents.length) return section(run, [state], node("p", {}, "There are no standings yet."));
  return section(run, [state], standings, meetings(run, games));
}

/** How often the agent of a row finishes ahead of the agent of a column. */
function meetings(run, games) {
  const names = run.agents.map(({ agent }) => agent).filter((agent) => run.pairs[agent]);
  if (names.length < 2) return null;
  const cell = (agent, other) => (run.pairs[agent][other] ? link(percent(run.pairs[agent][other][0]), () => games(agent, other), { title: range(run.pairs[agent][other]) }) : "");
  return node("details", { "data-key": "meetings" }, node("summary", {}, "Who finishes ahead of whom"),
    table(["", ...names.map((name) => `ahead of ${name}`)], names.map((agent) => [agent, ...names.map((other) => cell(agent, other))])));
}

// balance experiments

function balance(run) {
  const told = `balance experiment ${run.experiment}: ${count(run.done)}`;
  const progress = run.planned ? [`${told} of ${count(run.planned)} games `, bar(Math.min(1, run.done / run.planned))] : [`${told} games`];
  return section(run, progress,
    ...run.measures.map((measure, k) => node("details", { open: k === 0, "data-key": measure.name }, node("summary", {}, title(measure)), results(run.name, measure))));
}

const title = ({ name, rows, of }) => (rows.length < of ? `${name}: the ${rows.length} clearest of ${of} results` : name);

/** A table of values with their intervals, as numbers and drawn on a common scale. */
function results(run, measure) {
  const text = (value) => (measure.share ? percent(value) : value.toFixed(1));
  const known = measure.rows.flatMap(({ value, low, high, reference }) => [value, low, high, reference]).filter((number) => number !== null);
  const games = (row) => showGames(run, [row.agent, row.level].filter(Boolean).join(", "), { agent: row.agent, players: row.players, level: row.level });
  const told = ({ low, high }) => (low === null || high === null ? "" : ` (${text(low)} to ${text(high)})`);
  const cells = (row) => [link(row.level || measure.name, () => games(row)), row.agent, row.players, `${text(row.value)}${told(row)}`,
    interval([row.value, row.low, row.high], row.reference, Math.min(...known), Math.max(...known)), row.reference === null ? "" : text(row.reference), row.finding];
  return table(["", "agent", "players", "value (95 % interval)", "", "reference", "finding"], measure.rows.map(cells), (k) => games(measure.rows[k]));
}

// teams: tournaments and evaluations of games whose players win or lose together

function teams(run) {
  const told = `${run.what} of teams in ${run.game}: ${run.teams.length} of ${run.planned} results `;
  const games = (row) => showGames(run.name, [row.agent, ...Object.entries(row.settings).map(([name, value]) => `${name} ${value}`)].join(", "), { team: row.team });
  const lost = (row) => Object.entries(row.lost).map(([reason, number]) => `${reason} ${number}`).join(", ");
  const cells = (row) => [link(row.agent, () => games(row)), ...run.settings.map((name) => row.settings[name]), count(row.games), range(row.wins),
    interval(row.wins, null, 0, 1), row.score, row.rounds, lost(row)];
  return section(run, [told, bar(run.teams.length / run.planned)],
    table(["agent", ...run.settings, "games", "games won (95 % interval)", "", "score", "rounds", "lost by"], run.teams.map(cells), (k) => games(run.teams[k])));
}

// parts of all

/** `told`: the first line, as texts and elements. */
const section = (run, told, ...content) => node("section", { "data-run": run.name }, node("h2", {}, run.name), node("p", {}, ...told), ...content, gamesOf(run.name));

/** The element for the games of a run. It is kept when the page is read again. */
function gamesOf(run) {
  if (!opened.has(run)) opened.set(run, node("div", { class: "games scrolls", "aria-live": "polite" }));
  return opened.get(run);
}

const link = (label, onclick, attributes = {}) => node("a", { href: "#", onclick: (event) => { event.preventDefault(); event.stopPropagation(); onclick(); }, ...attributes }, label);

/** A table. If `choose` is given, a click on any cell calls it with the number of the row. */
function table(head, rows, choose) {
  const row = (cells, k) => node("tr", choose ? { class: "link", onclick: () => choose(k) } : {}, ...cells.map((cell) => node("td", {}, cell instanceof Node ? cell : String(cell ?? ""))));
  return node("div", { class: "scrolls" }, node("table", {}, node("tr", {}, ...head.map((name) => node("th", {}, name))), ...rows.map(row)));
}

/** A value with its interval, drawn between `least` and `most`; the dashed line is the reference. */
function interval([value, low, high], reference, least, most) {
  const x = (number) => 4 + (152 * (number - least)) / Math.max(1e-9, most - least);
  return svgNode("svg", { viewBox: "0 0 160 18", class: "interval", "aria-hidden": "true" },
    ...(reference === null ? [] : [svgNode("line", { x1: x(reference), x2: x(reference), y1: 0, y2: 18, class: "fair" })]),
    ...(low === null || high === null ? [] : [svgNode("line", { x1: x(low), x2: x(high), y1: 9, y2: 9, class: "span" })]),
    svgNode("circle", { cx: x(value), cy: 9, r: 3.5 }));
}

// games

const showGames = attempt(async (run, what, asked) => {
  const address = `/api/runs/${encodeURIComponent(run)}/games`;
  const { games, of } = await ask(`${address}?${new URLSearchParams(asked)}`);
  const watch = (game) => attempt(async () => {
    const { replay, host } = await ask(`${address}/${game}`, {});
    location.href = replay ?? host;
  });
  const isStored = "decisions" in asked;
  const seats = (game) => game.agents.map((name, k) => `${name} ${game.vp[k]}`).join(", ");
  const result = (game) => ("won" in game ? (game.won ? `won, score ${game.vp[0]}` : "lost") : seats(game));
  const rows = games.map((game) => [node("button", { type: "button", onclick: watch(game.game) }, isStored ? "replay" : "watch it again"),
    result(game), game.rounds ? `${game.rounds} rounds` : "", game.seed]);
  const isOfTeams = games.some((game) => "won" in game);
  const caption = `Games of ${what}${games.length < of ? `, the first ${games.length} of ${count(of)}` : ""}${isOfTeams ? "" : ": players with their VP, by seat"}`;
  const nothing = isStored ? `No games of ${what} are stored.`
    : `There are no games of ${what} that can be watched: they are not stored, or only the experiment can play them.`;
  gamesOf(run).replaceChildren(node("h3", {}, rows.length ? caption : nothing), ...(rows.length ? [table(["", isOfTeams ? "result" : "players", "", "seed"], rows)] : []));
  gamesOf(run).scrollIntoView({ block: "nearest" });
});

// the page

const KINDS = { training, tournament, balance, teams, unreadable: (run) => section(run, [run.error]) };

/** The section of a run. It is made again only if the run has changed, and what was unfolded stays so. */
function sectionOf(run) {
  const text = JSON.stringify(run);
  const before = shown.get(run.name);
  if (before?.text === text) return before.section;
  const made = KINDS[run.kind](run);
  for (const old of before?.section.querySelectorAll("details") ?? []) {
    const now = find(`details[data-key="${CSS.escape(old.dataset.key)}"]`, made);
    if (now) now.open = old.open;
  }
  shown.set(run.name, { text, section: made });
  return made;
}

function show({ folder, runs }) {
  find("#folder").textContent = runs.length ? `Folder ${folder}, read again every ${EVERY / 1000} seconds. A click on a row or on a number lists the games behind it.`
    : `There are no trainings, tournaments or balance experiments in ${folder} yet.`;
  const sections = runs.map(sectionOf);
  const there = [...find("#runs").children];
  if (sections.length !== there.length || sections.some((each, k) => each !== there[k])) find("#runs").replaceChildren(...sections);
}

const read = attempt(async () => show(await ask("/api/runs")));
read();
setInterval(read, EVERY);
