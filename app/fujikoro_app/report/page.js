"use strict";

const PAUSE = 900; // milliseconds between two pictures while playing

for (const game of document.querySelectorAll(".game")) {
  const film = JSON.parse(game.querySelector("script").textContent);
  const picture = game.querySelector(".stage g");
  const told = game.querySelector(".told");
  const slider = game.querySelector("input");
  const count = game.querySelector("output");
  const button = (name) => game.querySelector(`[data-go="${name}"]`);
  const last = film.pictures.length - 1;
  let at = 0;
  let timer = null;

  function show(position) {
    at = Math.min(last, Math.max(0, position));
    picture.innerHTML = film.pictures[at].map((number) => film.parts[number]).join("");
    told.textContent = film.told[at];
    slider.value = at;
    count.textContent = `${at + 1} of ${last + 1}`;
    button("first").disabled = button("back").disabled = at === 0;
    button("next").disabled = button("last").disabled = at === last;
    if (at === last) pause();
  }

  function pause() {
    clearInterval(timer);
    timer = null;
    told.setAttribute("aria-live", "polite");
    button("play").textContent = "Play";
  }

  function play() {
    if (at === last) show(0);
    told.setAttribute("aria-live", "off"); // nobody wants to hear every picture of a film
    timer = setInterval(() => show(at + 1), PAUSE);
    button("play").textContent = "Pause";
  }

  const go = {
    first: () => show(0),
    back: () => show(at - 1),
    next: () => show(at + 1),
    last: () => show(last),
    play: () => (timer === null ? play() : pause()),
  };
  const keys = { Home: "first", ArrowLeft: "back", ArrowRight: "next", End: "last", " ": "play" };

  function act(name) {
    if (name !== "play") pause();
    go[name]();
  }

  for (const name of Object.keys(go)) button(name).addEventListener("click", () => act(name));
  slider.addEventListener("input", () => {
    pause();
    show(Number(slider.value));
  });
  document.addEventListener("keydown", (event) => {
    const elsewhere = event.target !== document.body && !game.contains(event.target);
    const ownMeaning = event.key === " " && event.target.tagName === "BUTTON";
    const changed = event.ctrlKey || event.altKey || event.metaKey || event.shiftKey;
    if (elsewhere || ownMeaning || changed || !(event.key in keys)) return;
    event.preventDefault();
    act(keys[event.key]);
  });
  const wanted = /^#picture-(\d+)$/.exec(location.hash);
  show(wanted ? Number(wanted[1]) - 1 : 0);
}
