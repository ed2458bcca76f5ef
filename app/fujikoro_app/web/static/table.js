// A game that is being played: connects to the server, shows the game, and sends answers.

import { Answers } from "./answers.js";
import { Board } from "./board.js";
import { drawCurves } from "./chart.js";
import { ask, attempt, button, find, node, toast } from "./dom.js";

const [, , table, token = ""] = location.pathname.split("/");
const LONGEST_WAIT = 5000; // milliseconds before the next attempt to connect

let socket;
let state = null;
let points = [];
let offered = ""; // the game whose agents can be chosen
let wait = 250;
const asked = new Map(); // explanations that are on their way
const isWide = matchMedia("(min-width: 80rem)"); // as in the style sheet

const send = (message) => {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  else toast("there is no connection at the moment");
};
const explain = (about) => new Promise((resolve) => {
  asked.set(about, resolve);
  send({ do: "explain", about });
});
const act = (action) => send({ do: "act", action, step: state.step });
const board = new Board(find("#board"), (choices) => answers.choose(choices), explain);
const answers = new Answers(find("#answers"), board, act);

function connect() {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  socket = new WebSocket(`${scheme}://${location.host}/socket/${table}${token ? `/${token}` : ""}`);
  socket.addEventListener("open", () => { wait = 250; find("#offline").hidden = true; });
  socket.addEventListener("message", (event) => receive(JSON.parse(event.data)));
  socket.addEventListener("close", () => {
    find("#offline").hidden = false;
    setTimeout(connect, wait);
    wait = Math.min(2 * wait, LONGEST_WAIT);
  });
}

function receive(message) {
  if (message.state) show(message.state);
  if (message.hint) showHint(message.hint);
  if (message.explain) {
    asked.get(message.explain.about)?.(message.explain.text);
    asked.delete(message.explain.about);
  }
  if (message.error) toast(message.error);
}

function show(next) {
  const isNew = !state || state.step !== next.step;
  state = next;
  board.show(state);
  answers.show(state);
  showQuestion();
  showPlayers();
  if (isNew) find("#hint").hidden = true;
  showRecent();
  if (state.again) { points = []; find("#log").replaceChildren(); }
  points.push(...state.points);
  for (const each of document.querySelectorAll(".of-vp")) each.toggleAttribute("hidden", !state.has_vp);
  if (state.has_vp) drawCurves(find("#curves"), points, state.players);
  const log = find("#log");
  const atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 60;
  log.append(...state.log.map((line) => node("li", {}, line)));
  if (atEnd || state.again) log.scrollTop = log.scrollHeight;
  showControls();
  showEnd();
  document.body.dataset.step = state.step;
  document.title = state.you === state.actor ? "Your turn · Fuji Koro" : "Fuji Koro";
}

function showQuestion() {
  const isMine = state.you === state.actor && state.choices.length > 0;
  const who = state.actor < 0 ? "" : isMine ? "You: " : `${state.players[state.actor].name} (player ${state.actor}): `;
  find("#question").textContent = `${who}${state.question}`;
  find("#detail").textContent = state.detail;
  find("#round").textContent = `round ${state.round} of ${state.rounds}`;
  find("#ask").classList.toggle("mine", isMine);
  find("#why").textContent = state.why ?? "";
}

/** Puts what happened since the last decision under the question, or on wide screens beside it, so that the board does not
 * move up and down. */
function placeRecent() {
  if (isWide.matches) find("#players").after(find("#recent"));
  else find("#undo-request").before(find("#recent"));
}

/** What happened since the player's last decision. */
function showRecent() {
  const list = find("#recent ol");
  find("#recent").hidden = state.recent.length === 0;
  list.replaceChildren(...state.recent.map((line) => node("li", {}, line)));
  list.scrollTop = list.scrollHeight;
}

function showPlayers() {
  find("#players").replaceChildren(...state.players.map((player, seat) => node(
    "li", { class: `${player.colour}${seat === state.actor ? " asked" : ""}` },
    node("b", {}, player.name), ` ${player.standing}${seat === state.you ? " (you)" : ""}`,
  )));
}

/** Agents that can play on for a person. */
async function offerAgents() {
  if (offered === state.game) return;
  offered = state.game;
  const { agents, others } = await ask("/api/lobby");
  const known = others.find(({ name }) => name === state.game)?.agents ?? agents;
  find("#resign-agent").replaceChildren(...known.map(({ name, label }) => node("option", { value: name, selected: name === (state.has_vp ? "shogun" : "band") }, label)));
}

function showControls() {
  attempt(offerAgents)();
  const isPlayer = state.people.includes(state.you);
  for (const controls of ["#help-controls", "#player-controls"]) find(controls).hidden = !isPlayer || state.end !== null;
  find("#hint-button").disabled = state.you !== state.actor;
  find("#agent-controls").hidden = !state.can_control || state.end !== null || state.people.length === state.players.length;
  for (const each of document.querySelectorAll(".to-replay")) each.hidden = !state.open;
  find("#look-up").hidden = !state.can_look_up;
  find("#pause").textContent = state.paused ? "go on" : "pause";
  find("#speed").value = String(Math.round(Math.log2(state.speed) * 2));
  const undo = find("#undo-request");
  undo.hidden = !state.undo;
  if (!state.undo) return;
  const isAsked = state.undo.missing.includes(state.you);
  undo.replaceChildren(
    `${state.players[state.undo.seat].name} wants to take back the last decision. `,
    ...(isAsked ? [button("agree", () => send({ do: "agree", yes: true })), button("refuse", () => send({ do: "agree", yes: false }))] : ["Waiting for the others."]),
  );
}

function showHint(hint) {
  const rows = hint.values.slice(0, 6).map((value) => node("li", {}, `${value.what.replaceAll("_", " ")}: ${value.worth.toFixed(2)} ${value.unit}`));
  find("#hint").replaceChildren(
    node("p", {}, node("b", {}, `${hint.by} would choose: ${hint.name}`), hint.why ? ` – ${hint.why}` : ""),
    ...(rows.length ? [node("ul", {}, ...rows)] : []),
    button("do it", () => act(hint.action)),
  );
  find("#hint").hidden = false;
}

function showEnd() {
  const end = state.end;
  find("#end").hidden = !end;
  find("#ask").hidden = end !== null;
  if (!end) return;
  const sources = [...new Set(end.players.flatMap((player) => Object.keys(player.sources)))];
  const cells = (tag, of) => end.players.map((player) => node(tag, tag === "th" ? { scope: "col" } : {}, of(player)));
  const row = (name, of) => node("tr", {}, node("th", { scope: "row" }, name), ...cells("td", (player) => String(of(player) ?? "")));
  const head = node("tr", {}, node("td", {}), ...cells("th", ({ rank, who }) => (end.is_coop ? who : `${rank}. ${who}`)));
  const rows = [row("VP", ({ vp }) => vp), ...sources.map((name) => row(name, (player) => player.sources[name]))];
  find("#end-reason").textContent = `The game is over: ${end.reason}.`;
  find("#end-table").replaceChildren(head, ...rows);
}

find("#hint-button").addEventListener("click", () => send({ do: "hint" }));
find("#undo-button").addEventListener("click", () => send({ do: "undo" }));
find("#resign-button").addEventListener("click", () => {
  const [{ value, label }] = find("#resign-agent").selectedOptions;
  if (confirm(`Leave the game, and let ${label} play on for you?`)) send({ do: "resign", agent: value });
});
find("#pause").addEventListener("click", () => send({ do: "pause", on: !state.paused }));
find("#speed").addEventListener("change", (event) => send({ do: "speed", value: 2 ** (Number(event.target.value) / 2) }));
find("#look-up").addEventListener("submit", async (event) => {
  event.preventDefault();
  const text = await explain(find("#look-up input").value.trim());
  find("#looked-up").replaceChildren(...text.split("\n").map((line) => node("p", {}, line)));
});
for (const each of document.querySelectorAll(".to-replay")) {
  each.addEventListener("click", attempt(async () => { location.href = (await ask(`/api/table/${table}/replay`, {})).replay; }));
}
document.addEventListener("keydown", (event) => {
  if (event.target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "h") find("#hint-button").click();
  if (event.key === "u") find("#undo-button").click();
});
isWide.addEventListener("change", placeRecent);
placeRecent();
find("#watch-link").href = `/table/${table}`;
connect();
