"use strict";
// The moves with their reasons, and the notes on those that were not made.

const MOVES_A_PAGE = 50, EXECUTORS_SHOWN = 6;

const range = ([first, last]) => (first === last ? `${first}` : `${first}-${last}`);

function ranges(executors) {
  const more = executors.length - EXECUTORS_SHOWN;
  return executors.slice(0, EXECUTORS_SHOWN).map(range).join(" ") + (more > 0 ? ` and ${more} more` : "");
}

/** All that a search looks through. */
const wordsOf = (move) =>
  [move.topology, ...move.components, move.kind, move.from ?? "", move.to, move.because].join("\n").toLowerCase();

const showMoves = paged(byId("moves-pages"), MOVES_A_PAGE, (page) => {
  byId("moves").tBodies[0].replaceChildren(...page.map((move) => el("tr", {},
    el("td", {}, el("time", { datetime: new Date(move.at * 1000).toISOString() }, time(move.at))),
    el("td", {}, move.kind.replaceAll("-", " ")),
    el("td", {}, name(move.topology), el("small", {}, ...move.components.flatMap((component, i) => [i ? ", " : "", name(component)])),
      el("small", {}, `executors ${ranges(move.executors)}`)),
    el("td", {}, move.from === null ? el("span", { class: "absent" }, "nowhere") : name(move.from)),
    el("td", {}, name(move.to)),
    el("td", {}, figure(move.load_distance_gain, fraction(move.load_distance_gain))),
    el("td", {}, name(move.because)))));
});

function drawMoves(shown) {
  const find = byId("moves-find"), kind = byId("moves-kind"), order = byId("moves-order");
  const kinds = [...new Set(shown.moves.map((move) => move.kind))].sort();
  const before = kind.value;
  kind.replaceChildren(el("option", { value: "" }, "all"),
    ...kinds.map((one) => el("option", { value: one }, one.replaceAll("-", " "))));
  kind.value = kinds.includes(before) ? before : "";
  const words = shown.moves.map(wordsOf);
  const list = () => {
    const wanted = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = shown.moves.filter((move, i) =>
      (!kind.value || move.kind === kind.value) && wanted.every((word) => words[i].includes(word)));
    if (order.value === "gain") found.sort((a, b) => b.load_distance_gain - a.load_distance_gain);
    const left = shown.moves_left_out ? ` ${count(shown.moves_left_out)} later moves are not in this page.` : "";
    byId("moves-count").textContent = shown.moves.length
      ? `${count(found.length)} of ${count(shown.moves.length)} moves.${left}` : "No executor moved.";
    showMoves(found);
  };
  find.oninput = kind.onchange = order.onchange = list;
  list();
}

function drawNotes(shown) {
  byId("notes").tBodies[0].replaceChildren(...(shown.notes.length
    ? shown.notes.map((note) => el("tr", {}, el("th", { scope: "row" }, note.code.replaceAll("-", " ")),
      el("td", {}, figure(note.windows, count(note.windows))), el("td", {}, name(note.detail))))
    : [el("tr", {}, el("td", { colspan: 3, class: "absent" }, "It noted nothing."))]));
}
