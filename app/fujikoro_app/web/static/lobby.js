// The lobby: choose a game and its players, and get a link for each person.

import { ask, attempt, find, node } from "./dom.js";

const FIELDS = ["mode", "scenario", "characters", "content"];
const NUMBERS = ["max_rounds", "final_at"];
const OWN = "fujikoro";
const CHOSEN = "chosen"; // each seat has a character of its own
let offer;
let usualBefore = null;
const own = () => find("#game").value === OWN;
const other = () => offer.others.find(({ name }) => name === find("#game").value);

const options = (values) => values.map(([value, label]) => node("option", { value }, label));
const title = (name) => name.replaceAll("_", " ");
const heading = (name) => title(name).replace(/^./, (letter) => letter.toUpperCase());
const shown = (value) => ({ true: "yes", false: "no" })[value] ?? title(String(value));

function fill() {
  find("#game").replaceChildren(...options([[OWN, "Fuji Koro"], ...offer.others.map(({ name, title: text }) => [name, text])]));
  find("#choose-game").hidden = offer.others.length === 0;
  find("#mode").replaceChildren(...options(offer.modes.map((mode) => [mode, mode])));
  find("#players").replaceChildren(...options(offer.players.map((count) => [count, count])));
  find("#players").value = "2";
  find("#characters").replaceChildren(...options([["", "the same for all"], ["random", "random"], [CHOSEN, "chosen below"]]));
  find("#content").replaceChildren(...options(offer.packs.map((name) => [name, name])));
  find("#options").append(...Object.entries(offer.options).map(([name, { rule, doc, values }]) => node("label", { title: doc }, `${heading(name)} (${rule}) `,
    node("select", { "data-option": name }, ...options(values.map((value, k) => [k === 0 ? "" : JSON.stringify(value), shown(value)]))))));
}

/** The fields of the chosen game. */
function showGame() {
  find("#own").hidden = !own();
  find("#other").hidden = own();
  const settings = own() ? [] : Object.entries(other().settings);
  find("#other").replaceChildren(...settings.map(([name, { doc, values }]) => node("label", {}, `${heading(name)} (${doc}) `,
    node("select", { "data-setting": name, onchange: showSeats }, ...(name === "players" ? [] : [node("option", { value: "" }, "as usual")]),
      ...options(values.map((value) => [JSON.stringify(value), shown(value)]))))));
  showSeats();
}

/** Scenarios of the chosen mode. */
function showScenarios() {
  const kept = find("#scenario").value;
  const fitting = offer.scenarios.filter(({ modes }) => modes.includes(find("#mode").value));
  find("#scenario").replaceChildren(...options([["", "none"], ...fitting.map(({ name, title: text }) => [name, text])]));
  find("#scenario").value = fitting.some(({ name }) => name === kept) ? kept : "";
}

function showSeats() {
  find("#players").disabled = find("#mode").value === "solo";
  const ownCount = find("#mode").value === "solo" ? 1 : Number(find("#players").value);
  const count = own() ? ownCount : Number(find("[data-setting='players']").value);
  const kept = [...find("#seats").children].map((row) => [find("select", row).value, find("input", row).value, find(".character", row)?.value]);
  const known = own() ? offer.agents : other().agents;
  const usual = usualAgent(known);
  const characters = own() && find("#characters").value === CHOSEN ? offer.characters.filter((name) => name && name !== "random") : [];
  const agents = known.map(({ name, label, rating }) => [name, rating === null ? label : `${label} (rating ${rating})`]);
  find("#seats").replaceChildren(...Array.from({ length: count }, (_, seat) => {
    const [before, name, character] = kept[seat] ?? [seat === 0 ? "" : usual, ""];
    const agent = before === usualBefore ? usual : before;
    const row = node("div", { class: "seat" }, `Seat ${seat} `,
      node("select", { "aria-label": `player of seat ${seat}`, onchange: showNames }, ...options([["", "a person"], ...agents])),
      node("input", { "aria-label": `name of the person on seat ${seat}`, maxlength: 40, placeholder: "name" }));
    if (characters.length) {
      row.append(node("select", { class: "character", "aria-label": `character of seat ${seat}` }, ...options(characters.map((each) => [each, title(each)]))));
      find(".character", row).value = character ?? characters[seat % characters.length];
    }
    find("select", row).value = agent === "" || known.some((each) => each.name === agent) ? agent : usual;
    find("input", row).value = name;
    return row;
  }));
  usualBefore = usual;
  showNames();
}

/** The agent of a seat until another one is chosen. */
function usualAgent(known) {
  if (!own()) return known[0].name;
  return find("#mode").value === "competitive" ? "shogun" : "band";
}

function showNames() {
  for (const row of find("#seats").children) find("input", row).hidden = find("select", row).value !== "";
}

function wish() {
  const seats = [...find("#seats").children].map((row) => (find("select", row).value ? { agent: find("select", row).value } : { name: find("input", row).value }));
  const seed = find("#seed").value === "" ? null : Number(find("#seed").value);
  if (own()) return { ...ownWish(), seats, seed };
  const chosen = [...document.querySelectorAll("[data-setting]")].filter((select) => select.value !== "");
  return { game: other().name, seats, seed, settings: Object.fromEntries(chosen.map((select) => [select.dataset.setting, JSON.parse(select.value)])) };
}

function ownWish() {
  const found = Object.fromEntries(FIELDS.map((name) => [name, find(`#${name}`).value]));
  if (found.characters === CHOSEN) found.characters = [...document.querySelectorAll("#seats .character")].map((select) => select.value);
  for (const name of NUMBERS) found[name] = find(`#${name}`).value === "" ? null : Number(find(`#${name}`).value);
  found.peaceful = find("#peaceful").value === "yes";
  if (find("#adventure_tokens").value === "no") found.adventure_tokens = false;
  const changed = [...document.querySelectorAll("[data-option]")].filter((select) => select.value !== "");
  found.options = Object.fromEntries(changed.map((select) => [select.dataset.option, JSON.parse(select.value)]));
  return found;
}

async function start(event) {
  event.preventDefault();
  const links = await ask("/api/tables", wish());
  if (links.seats.length === 1) { location.href = links.seats[0].link; return; }
  if (links.seats.length === 0) { location.href = links.host; return; }
  const row = (label, link) => node("li", {}, `${label}: `, node("a", { href: link }, new URL(link, location.href).href));
  find("#links").replaceChildren(node("h2", {}, "The game has begun: send each person a link"), node("ul", {},
    ...links.seats.map(({ seat, name, link }) => row(`seat ${seat}, ${name}`, link)), row("spectators", links.watch)));
  find("#links").hidden = false;
  find("#links").focus();
}

function showGames() {
  const rows = offer.games.map(({ table, names, mode, round, over }) => node("li", {},
    node("a", { href: table }, names.join(", ")), ` · ${title(mode)}, ${over ? "over" : `round ${round}`}`));
  find("#games").replaceChildren(...(rows.length ? rows : [node("li", {}, "none yet")]));
}

attempt(async () => {
  offer = await ask("/api/lobby");
  fill();
  showScenarios();
  showGame();
  showGames();
  find("#game").addEventListener("change", showGame);
  find("#mode").addEventListener("change", showScenarios);
  for (const name of ["mode", "players", "characters"]) find(`#${name}`).addEventListener("change", showSeats);
  find("#wish").addEventListener("submit", attempt(start));
  document.body.dataset.ready = "yes";
})();
