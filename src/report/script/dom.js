"use strict";
// Elements. Text of a recording becomes text nodes and nothing else.

const byId = (id) => document.getElementById(id);

/** An element with attributes and children; strings become text. */
function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

/** A name of a recording, kept from turning the text around it. */
const name = (text) => el("bdi", {}, text);

/** A figure: what people read, with the exact value for machines. */
const figure = (value, text) => (value == null ? el("span", { class: "absent" }, "unknown") : el("data", { value }, text));

/** Fills a table of figures when it is first opened, and again when it is drawn anew while open. */
function figuresOf(chart, head, rows) {
  const details = chart.querySelector("details");
  const fill = () => {
    if (!details.open) return;
    const table = el("table", { class: "figures" },
      el("thead", {}, el("tr", {}, ...head.map((text) => el("th", { scope: "col" }, name(text))))),
      el("tbody", {}, ...rows().map(([first, ...cells]) =>
        el("tr", {}, el("th", { scope: "row" }, name(first)), ...cells.map((cell) => el("td", {}, cell))))));
    details.querySelector(".wide").replaceChildren(table);
  };
  details.ontoggle = fill;
  fill();
}

/** Pages of a list: shows one, and buttons for its neighbors where there are more. */
function paged(holder, size, show) {
  let list = [], page = 0;
  const label = el("span", { role: "status" });
  const step = (text, by) => {
    const button = el("button", { type: "button" }, text);
    button.addEventListener("click", () => {
      page += by;
      draw();
    });
    return button;
  };
  const before = step("Previous", -1), after = step("Next", 1);
  function draw() {
    const pages = Math.max(1, Math.ceil(list.length / size));
    show(list.slice(page * size, (page + 1) * size));
    before.disabled = page === 0;
    after.disabled = page + 1 >= pages;
    label.textContent = `Page ${page + 1} of ${pages}`;
    holder.replaceChildren(...(pages > 1 ? [before, label, after] : []));
  }
  return (of) => {
    list = of;
    page = 0;
    draw();
  };
}
