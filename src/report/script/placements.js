"use strict";
// Nodes, workers and components before and after.

const NODES_A_PAGE = 25;

/** What makes a worker the same before and after. */
const contents = (worker) => JSON.stringify([worker.topology, worker.components]);

/** Nodes of two placements side by side, by node. */
function sideBySide(before, after) {
  const nodes = new Map();
  const side = (placement, which) => placement.forEach((node) => {
    if (!nodes.has(node.node)) nodes.set(node.node, { node: node.node, host: node.host });
    nodes.get(node.node)[which] = node;
  });
  side(before, "before");
  side(after, "after");
  const workers = (node) => JSON.stringify((node?.workers ?? []).map((worker) => [worker.port, contents(worker)]));
  return [...nodes.values()].map((node) => ({ ...node, changed: workers(node.before) !== workers(node.after) }));
}

function useCell(node) {
  if (!node) return el("td", {}, el("span", { class: "absent" }, "not there"));
  const bar = el("span", { class: node.utilization > data.overload ? "use over" : "use", "aria-hidden": "true" }, el("i"));
  bar.firstChild.style.width = `${Math.min(100, 100 * (node.utilization ?? 0))}%`;
  return el("td", {}, figure(node.utilization, fraction(node.utilization)), bar);
}

/** Workers of a node; those that the other side does not have are marked. */
function workersCell(node, other, mark) {
  const there = new Map((other?.workers ?? []).map((worker) => [worker.port, contents(worker)]));
  const items = (node?.workers ?? []).map((worker) => {
    const same = there.get(worker.port) === contents(worker);
    const word = there.has(worker.port) ? "changes" : mark.word;
    const components = worker.components.flatMap(([component, n], i) => [i ? ", " : "", name(component), ` ×${n}`]);
    return el("li", { class: same ? "" : mark.style },
      el("b", {}, String(worker.port)), " ", name(worker.topology), ...(same ? [] : [el("span", { class: "tag" }, word)]),
      el("small", {}, `${worker.cpu_cores.toFixed(2)} cores: `, ...components));
  });
  return el("td", {}, items.length ? el("ul", { class: "workers" }, ...items) : el("span", { class: "absent" }, "none"));
}

const showPlacement = paged(byId("placement-pages"), NODES_A_PAGE, (page) => {
  byId("placement").tBodies[0].replaceChildren(...page.map(({ node, host, before, after }) => el("tr", {},
    el("th", { scope: "row", title: node }, name(host)),
    useCell(before), workersCell(before, after, { style: "gone", word: "goes" }),
    useCell(after), workersCell(after, before, { style: "changed", word: "new" }))));
});

function drawPlacement(shown) {
  const only = byId("placement-changed");
  const all = sideBySide(data.placements[shown.before], data.placements[shown.after]);
  const changed = all.filter((node) => node.changed);
  only.disabled = changed.length === 0 || changed.length === all.length;
  if (!only.touched) only.checked = all.length > NODES_A_PAGE;
  const list = () => showPlacement(only.checked && !only.disabled ? changed : all);
  only.onchange = () => {
    only.touched = true;
    list();
  };
  list();
}
