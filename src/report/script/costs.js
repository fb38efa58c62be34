"use strict";
// What each policy costs: one small chart a kind of cost.

const COSTS = [
  ["restarts", "Workers restarted", count],
  ["executors_moved", "Executors moved", count],
  ["shipped_bytes", "State read again or shipped", bytes],
  ["paused_executor_secs", "Time executors were paused", span],
];

function drawCosts() {
  const holder = byId("cost-chart").querySelector(".plot");
  const labels = Math.max(...data.policies.map(({ policy }) => short(policy, 14).length)) * 7.5 + 12;
  // Names may be cut, and cut names may be the same: bars stand by number.
  const label = (i) => short(data.policies[i].policy, 14);
  holder.replaceChildren(...COSTS.map(([field, title, text]) => {
    const rows = data.policies.map((policy, i) => ({ i, value: policy.figures[field] }));
    const about = rows.map(({ i, value }) => `${data.policies[i].policy} ${text(value)}`).join("; ");
    return el("div", {}, el("h3", {}, title), Plot.plot({
      width: 256, height: 24 * rows.length + 8, marginLeft: labels, marginRight: 78, marginTop: 4, marginBottom: 4,
      style: { fontSize: "13px" }, ariaLabel: title, ariaDescription: about,
      x: { axis: null, domain: [0, Math.max(1e-9, ...rows.map(({ value }) => value))] },
      y: { type: "band", label: null, tickSize: 0, tickFormat: label, padding: 0.3 },
      marks: [
        ...rows.map((row) => Plot.barX([row], { x: "value", y: "i", fill: colorOf(data.policies[row.i]) })),
        Plot.text(rows, { x: "value", y: "i", text: ({ value }) => text(value), textAnchor: "start", dx: 6, fill: "currentColor" }),
      ],
    }));
  }));
}
