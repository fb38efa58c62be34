"use strict";
// Figures over time, one line a policy.

/** Policies with the one looked at last, so that it lies on top. */
const lastOnTop = (shown) => [...data.policies.filter((policy) => policy !== shown), shown];

/** What all policies have at each time. */
function atEachTime(of) {
  const times = new Map();
  for (const policy of data.policies) {
    policy.series.at.forEach((at, i) => {
      if (!times.has(at)) times.set(at, new Map());
      times.get(at).set(policy, of(policy)[i]);
    });
  }
  return [...times].sort(([a], [b]) => a - b);
}

/** A chart of lines; `below` are further marks under them. */
function lines(shown, width, { of, text, label, about, below = [] }) {
  const times = atEachTime(of).map(([at, values]) => ({
    at: new Date(at * 1000),
    text: [time(at), ...data.policies.filter((policy) => values.has(policy))
      .map((policy) => `${short(policy.policy)}  ${text(values.get(policy))}`)].join("\n"),
  }));
  return Plot.plot({
    width, height: Math.max(240, Math.min(360, width * 0.36)), marginLeft: 56, marginRight: 24,
    style: { fontSize: "13px" }, ariaLabel: label, ariaDescription: about,
    x: { type: "utc", label: null, tickFormat: tickTime, ticks: timesAlong(width) },
    y: { label, grid: true, zero: true, nice: true, ticks: 5 },
    marks: [
      Plot.ruleY([0]),
      ...below,
      ...lastOnTop(shown).map((policy) => Plot.lineY(points(policy.series.at, of(policy)), {
        x: "at", y: "value", stroke: colorOf(policy), strokeWidth: policy === shown ? 2.5 : 1.5,
        strokeOpacity: policy === shown ? 1 : 0.75,
      })),
      ...lastOnTop(shown).filter((policy) => policy.series.at.length === 1).map((policy) =>
        Plot.dot(points(policy.series.at, of(policy)), { x: "at", y: "value", fill: colorOf(policy), r: 4 })),
      Plot.ruleX(times, Plot.pointerX({ x: "at", strokeOpacity: 0.5 })),
      Plot.tip(times, Plot.pointerX({ x: "at", title: "text", frameAnchor: "top", textPadding: 10 })),
    ],
  });
}

function drawLoad(shown, width) {
  const { at, bound, restarts } = shown.series;
  const chart = byId("load-chart");
  const about = data.policies.map(({ policy, figures }) =>
    `${policy}: mean ${fraction(figures.load_distance_mean)}, worst ${fraction(figures.load_distance_worst)}`).join("; ");
  const ticks = at.flatMap((end, i) => (restarts[i] > 0 ? [{ at: new Date(end * 1000) }] : []));
  chart.querySelector(".plot").replaceChildren(lines(shown, width, {
    of: (policy) => policy.series.load_distance, text: fraction, label: "Load distance", about,
    below: [
      Plot.lineY(points(at, bound), {
        x: "at", y: "value", stroke: colorOf(shown), strokeWidth: 1.5, strokeDasharray: "5 4",
      }),
      Plot.dot(ticks, {
        x: "at", frameAnchor: "bottom", symbol: "triangle", r: 3.5, dy: -5, fill: colorOf(shown),
      }),
    ],
  }));
  figuresOf(chart, ["Time (UTC)", ...data.policies.flatMap(({ policy }) => [policy, `bound of ${policy}`, `restarts of ${policy}`])],
    () => atEachTime(({ series }) => series.load_distance.map((value, i) => [value, series.bound[i], series.restarts[i]]))
      .map(([end, values]) => [time(end), ...data.policies.flatMap((policy) => {
        const [distance, lower, n] = values.get(policy) ?? [];
        return [figure(distance, fraction(distance)), figure(lower, fraction(lower)), figure(n, String(n))];
      })]));
}

function drawTraffic(shown, width) {
  const chart = byId("traffic-chart");
  const of = (policy) => policy.series.cross_node_tuples_per_sec;
  const known = data.policies.some((policy) => of(policy).some((value) => value !== null));
  const about = data.policies.map(({ policy, figures }) =>
    `${policy}: mean ${rate(figures.cross_node_tuples_per_sec)}`).join("; ");
  chart.querySelector(".plot").replaceChildren(known
    ? lines(shown, width, { of, text: rate, label: "Tuples per second between nodes", about })
    : el("p", { class: "absent" }, "These recordings hold no traffic."));
  figuresOf(chart, ["Time (UTC)", ...data.policies.map(({ policy }) => policy)],
    () => atEachTime(of).map(([end, values]) =>
      [time(end), ...data.policies.map((policy) => figure(values.get(policy), rate(values.get(policy))))]));
}
