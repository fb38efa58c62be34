"use strict";
// What the page knows.

const data = JSON.parse(byId("data").textContent);

/** The color of a policy, which follows light and dark. */
const colorOf = (policy) => `var(--series-${policy.color})`;

/** The usual time between two ends of stretches. */
function usualStep(at) {
  const steps = at.slice(1).map((end, i) => end - at[i]).sort((a, b) => a - b);
  return steps.length ? steps[steps.length >> 1] : 60;
}

/** Points of a line; where the recording has a gap, a point without a value, so that the line breaks there. */
function points(at, values) {
  const longest = usualStep(at) * 3;
  return at.flatMap((end, i) => {
    const point = { at: new Date(end * 1000), value: values[i] ?? NaN };
    const gap = i > 0 && end - at[i - 1] > longest;
    return gap ? [{ at: new Date((end - 1) * 1000), value: NaN }, point] : [point];
  });
}
