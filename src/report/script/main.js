"use strict";
// Draws everything, and again when another policy is looked at or the width changes.

const chosen = () => {
  const radio = document.querySelector('input[name="policy"]:checked');
  return data.policies[Number(radio?.value ?? 0)];
};

function drawCharts(width) {
  drawLoad(chosen(), width);
  drawTraffic(chosen(), width);
  drawHeat(chosen(), width);
}

function drawLists() {
  drawPlacement(chosen());
  drawMoves(chosen());
  drawNotes(chosen());
  document.querySelectorAll("[data-shown]").forEach((place) => (place.textContent = chosen().policy));
}

if (data.policies.length) {
  const place = byId("load-chart");
  let width = Math.max(320, place.clientWidth);
  const redraw = () => drawCharts(width);
  drawCosts();
  drawLists();
  redraw();
  byId("switch").addEventListener("change", () => {
    drawLists();
    redraw();
  });
  byId("heat-order").addEventListener("change", () => drawHeat(chosen(), width));
  new ResizeObserver(() => {
    const now = Math.max(320, place.clientWidth);
    if (now !== width) {
      width = now;
      redraw();
    }
  }).observe(place);
}
document.documentElement.dataset.drawn = "true";
