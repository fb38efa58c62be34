"use strict";
// Figures as people write them: the same forms as words.rs.

const MINUTE = 60, HOUR = 3600, DAY = 86400;

const fraction = (value) => (value == null ? "unknown" : value.toFixed(3));

const count = (n) => Math.round(n).toLocaleString("en-US");

const rate = (value) => (value == null ? "unknown" : value < 10 ? value.toFixed(1) : count(value));

/** A span of seconds in its two largest units. */
function span(secs) {
  if (!(secs >= MINUTE)) return `${secs < 10 && secs % 1 ? secs.toFixed(1) : Math.round(secs)} s`;
  const whole = Math.round(secs);
  const [large, small, names] =
    whole < HOUR ? [whole / MINUTE, whole % MINUTE, ["min", "s"]]
    : whole < DAY ? [whole / HOUR, (whole % HOUR) / MINUTE, ["h", "min"]]
    : [whole / DAY, (whole % DAY) / HOUR, ["d", "h"]];
  const rest = Math.floor(small);
  return `${Math.floor(large)} ${names[0]}${rest ? ` ${rest} ${names[1]}` : ""}`;
}

function bytes(n) {
  if (n < 1024) return `${n} B`;
  const units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
  let value = n / 1024, unit = 0;
  while (value >= 1023.95 && unit + 1 < units.length) {
    value /= 1024;
    unit += 1;
  }
  return `${value.toFixed(1)} ${units[unit]}`;
}

/** Seconds since the epoch as UTC. */
const time = (at) => new Date(at * 1000).toISOString().slice(0, 19).replace("T", " ");

/** A tick of a time axis: the hour, or month and day where a day begins. */
const tickTime = (at) => {
  const [date, clock] = at.toISOString().split("T");
  return clock.startsWith("00:00") ? date.slice(5) : clock.slice(0, clock.startsWith(":00", 5) ? 5 : 8);
};

/** Times that fit along an axis of this many pixels without touching. */
const timesAlong = (width) => Math.max(2, Math.floor(width / 110));

/** What hosts of one domain can go without: the longest common end that begins at a dot. */
function commonDomain(names) {
  const [first = ""] = names, dots = [...first].flatMap((c, i) => (c === "." ? [i] : []));
  const common = dots.find((dot) => names.every((name) => name.length > first.length - dot && name.endsWith(first.slice(dot))));
  return names.length > 1 && common !== undefined && !/^[\d.]+$/.test(first) ? first.slice(common) : "";
}

/** A name that fits beside a chart. */
const short = (name, most = 24) => (name.length > most ? `${name.slice(0, most - 1)}…` : name);
