"use strict";
// Utilization by node and time. Classes, not a gradient: where overload begins can be seen, and neighbors of one class
// are one shape, so that hundreds of nodes stay drawable.

const BELOW = 6, ABOVE = 3;

/** The class of a utilization in thousandths: six up to overload, three above. */
function heatClass(permille) {
  const overload = data.overload * 1000;
  if (permille <= overload) return Math.min(BELOW - 1, Math.floor((permille / overload) * BELOW));
  return BELOW + Math.min(ABOVE - 1, Math.floor(((permille - overload) / overload) * 10));
}

/** What the classes mean. */
function heatScale() {
  const { overload } = data;
  const edges = [...Array.from({ length: BELOW + 1 }, (_, i) => (overload * i) / BELOW), overload * 1.1, overload * 1.2];
  return el("ul", { class: "scale", "aria-label": "Colors" }, ...edges.map((from, i) => {
    const swatch = el("span");
    swatch.style.background = `var(--heat-${i})`;
    const to = edges[i + 1];
    return el("li", {}, swatch, to === undefined ? `above ${from.toFixed(2)}` : `${from.toFixed(2)}–${to.toFixed(2)}`);
  }), el("li", {}, el("span"), "not there"));
}

/** Start and end of each column; after a gap in the recording, a column of the usual length. */
function columnsOf(at) {
  const usual = usualStep(at);
  return at.map((end, i) => [i > 0 && end - at[i - 1] <= 3 * usual ? at[i - 1] : end - usual, end]);
}

/** Cells of a row joined while their class is the same. */
function runs(row, columns, y) {
  const joined = [];
  row.forEach((permille, i) => {
    if (permille === null) return;
    const heat = heatClass(permille), last = joined.at(-1);
    if (last && last.heat === heat && last.end === columns[i][0]) last.end = columns[i][1];
    else joined.push({ y, heat, start: columns[i][0], end: columns[i][1] });
  });
  return joined;
}

/** Nodes as they stand beside the map: hosts where each has its own, without the domain they share. */
function labelsOf(nodes) {
  const hosts = new Map(data.placements.flat().map((node) => [node.node, node.host]));
  const known = nodes.map((node) => hosts.get(node) ?? node);
  const names = new Set(known).size === known.length ? known : nodes;
  const domain = commonDomain(names).length;
  return names.map((of) => short(domain ? of.slice(0, -domain) : of, 20));
}

const worstOf = (row) => Math.max(-1, ...row.map((permille) => permille ?? -1));

function drawHeat(shown, width) {
  const { at, nodes, stretches, permille } = shown.heat;
  const chart = byId("heat-chart"), plot = chart.querySelector(".plot"), cell = byId("heat-cell");
  const each = stretches > 1 ? `Each column is the worst of ${stretches} stretches of time. ` : "";
  byId("heat-about").textContent = `Load over capacity, in UTC. ${each}Blue is up to ${data.overload}, orange above: overloaded.`;
  if (!at.length || !nodes.length) {
    plot.replaceChildren(el("p", { class: "absent" }, "No utilization is known."));
    return;
  }
  const order = nodes.map((_, i) => i);
  if (byId("heat-order").value === "worst") order.sort((a, b) => worstOf(permille[b]) - worstOf(permille[a]) || a - b);
  const columns = columnsOf(at);
  const cells = order.flatMap((node, y) => runs(permille[node], columns, y));
  const high = nodes.length > 60 ? 5 : nodes.length > 20 ? 12 : 24;
  const labelled = labelsOf(nodes);
  const labels = Math.max(...labelled.map((label) => label.length)) * 7.4 + 14;
  const every = Math.ceil(16 / high);
  const margin = { left: Math.min(labels, width / 3), right: 24, top: 6, bottom: 30 };
  const height = high * nodes.length + margin.top + margin.bottom;
  const at0 = columns[0][0], at1 = columns.at(-1)[1];
  const drawn = Plot.plot({
    width, height, marginLeft: margin.left, marginRight: margin.right, marginTop: margin.top, marginBottom: margin.bottom,
    style: { fontSize: "12px" }, ariaLabel: `Utilization of ${nodes.length} nodes under ${shown.policy}`,
    ariaDescription: `Highest: ${(Math.max(...permille.map(worstOf)) / 1000).toFixed(3)}. Single cells can be read with the arrow keys.`,
    x: { type: "utc", label: null, tickFormat: tickTime, ticks: timesAlong(width - margin.left), domain: [at0 * 1000, at1 * 1000] },
    y: { type: "band", domain: order.map((_, y) => y), padding: high > 5 ? 0.08 : 0, label: null },
    marks: [
      Plot.axisY(order.map((_, y) => y).filter((y) => y % every === 0), { tickFormat: (y) => labelled[order[y]], tickSize: 0, label: null }),
      ...Array.from({ length: BELOW + ABOVE }, (_, heat) => Plot.barX(cells.filter((run) => run.heat === heat), {
        x1: (run) => run.start * 1000, x2: (run) => run.end * 1000, y: "y", fill: `var(--heat-${heat})`, shapeRendering: "crispEdges",
      })),
    ],
  });
  plot.replaceChildren(heatScale(), drawn);

  const say = (y, x) => {
    const value = permille[order[y]][x];
    cell.replaceChildren(name(nodes[order[y]]), `, until ${time(at[x])}: `, value === null ? "not there" : (value / 1000).toFixed(3));
  };
  drawn.addEventListener("pointermove", (event) => {
    const box = drawn.getBoundingClientRect(), scale = width / box.width;
    const left = (event.clientX - box.left) * scale - margin.left, top = (event.clientY - box.top) * scale - margin.top;
    const moment = at0 + (left / (width - margin.left - margin.right)) * (at1 - at0), y = Math.floor(top / high);
    const x = columns.findIndex(([start, end]) => moment >= start && moment < end);
    if (y >= 0 && y < nodes.length && x >= 0) say(y, x);
  });
  let here = null;
  plot.onkeydown = (event) => {
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (!step || event.target !== plot) return;
    event.preventDefault();
    const within = (value, size) => Math.max(0, Math.min(size - 1, value));
    here = here ? [within(here[0] + step[0], nodes.length), within(here[1] + step[1], at.length)] : [0, 0];
    say(...here);
  };

  figuresOf(chart, ["Node", "mean", "worst", "worst until (UTC)", "time shown above overload"], () => order.map((node) => {
    const there = permille[node].filter((value) => value !== null), worst = worstOf(permille[node]);
    const above = permille[node].filter((value) => value > data.overload * 1000).length;
    if (!there.length) return [nodes[node], figure(null), figure(null), "–", "–"];
    const mean = there.reduce((sum, value) => sum + value, 0) / there.length / 1000;
    return [nodes[node], figure(mean, fraction(mean)), figure(worst / 1000, fraction(worst / 1000)),
      time(at[permille[node].indexOf(worst)]), `${Math.round((100 * above) / there.length)} %`];
  }));
}
