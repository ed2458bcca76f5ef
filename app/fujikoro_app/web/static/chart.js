// Curves of the players' VP.

import { svgNode } from "./dom.js";

/** Draws one line for each player. `points`: VP of all players after each step; `marks`: steps to be marked. */
export function drawCurves(svg, points, players, marks = {}) {
  const [width, height] = [svg.clientWidth || 600, svg.clientHeight || 110];
  const most = Math.max(5, ...points.flat());
  const x = (step) => (step / Math.max(1, points.length - 1)) * width;
  const y = (vp) => height - 4 - (vp / most) * (height - 22);
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const lines = players.map((player, seat) => svgNode("polyline", {
    points: points.map((vp, step) => `${x(step).toFixed(1)},${y(vp[seat]).toFixed(1)}`).join(" "),
    class: `curve ${player.colour}`,
  }));
  const ticks = !players.length ? [] : [0, Math.round(most / 2), most].map((vp) => svgNode("text", { x: 2, y: y(vp) - 2, class: "tick" }, `${vp} VP`));
  const signs = Object.entries(marks).flatMap(([kind, steps]) => steps.map((step) => svgNode("rect", {
    x: x(step) - 1, y: kind === "fight" ? 0 : 6, width: 2.5, height: 6, class: `mark ${kind}`,
  })));
  svg.replaceChildren(...ticks, ...lines, ...signs);
}
