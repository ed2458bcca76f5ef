// Uploads a recorded game, by a file field or by drag and drop.

import { ask, attempt, find } from "./dom.js";

const upload = attempt(async (file) => {
  location.href = (await ask("/api/replays", await file.text())).replay;
});
const drop = find("#drop");
find("#file").addEventListener("change", (event) => upload(event.target.files[0]));
drop.addEventListener("dragover", (event) => { event.preventDefault(); drop.classList.add("over"); });
drop.addEventListener("dragleave", () => drop.classList.remove("over"));
drop.addEventListener("drop", (event) => {
  event.preventDefault();
  drop.classList.remove("over");
  if (event.dataTransfer.files.length) upload(event.dataTransfer.files[0]);
});
