//! The page of a replay in a browser: what it draws, says and lets happen.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

#[path = "support/browser.rs"]
mod browser;
#[path = "support/outcomes.rs"]
mod outcomes;

use ballast::replay::Outcome;
use ballast::report;
use browser::Browser;
use outcomes::{HOSTILE, LARGE, SMALL, hostile, outcome};
use serde_json::{Value, json};

fn open(outcome: &Outcome) -> Browser {
    Browser::open(&report::page(outcome))
}

/// The number in a text. The text crosses, since JSON's reader here may round the last digit of a number.
fn number(text: &Value) -> Option<f64> {
    text.as_str().map(|text| text.parse().unwrap())
}

/// Numbers in a list of texts; missing ones are none.
fn numbers(list: &Value) -> Vec<Option<f64>> {
    list.as_array().unwrap().iter().map(number).collect()
}

/// Opens the figures of a chart and reads their exact values, by row.
fn figures(browser: &mut Browser, chart: &str) -> Vec<Vec<Option<f64>>> {
    let rows = browser.evaluate(&format!(
        "(async () => {{
           const details = document.querySelector('#{chart} details');
           const filled = new Promise((done) => details.addEventListener('toggle', () => setTimeout(done), {{ once: true }}));
           details.open = true;
           await filled;
           return [...details.querySelectorAll('tbody tr')].map((row) => [...row.querySelectorAll('td')].map((cell) => {{
             const data = cell.querySelector('data');
             return data ? data.value : null;
           }}));
         }})()"
    ));
    rows.as_array().unwrap().iter().map(numbers).collect()
}

/// Looks closely at a policy.
fn choose(browser: &mut Browser, index: usize) {
    browser.evaluate(&format!("document.querySelectorAll('input[name=policy]')[{index}].click()"));
}

#[test]
fn it_draws_every_chart_without_an_error_or_a_request() {
    let outcome = outcome(&SMALL);
    let mut browser = open(&outcome);
    assert_eq!(browser.evaluate("document.documentElement.dataset.drawn"), "true");
    for (chart, marks, least) in [
        ("load-chart", "path[d]", 4),
        ("traffic-chart", "path[d]", 3),
        ("cost-chart", "rect", 12),
        ("heat-chart", "rect", 30),
    ] {
        let drawn =
            browser.evaluate(&format!("document.querySelectorAll('#{chart} .plot svg {marks}').length"));
        assert!(drawn.as_u64().unwrap() >= least, "{chart} has {drawn} marks");
    }
    assert_eq!(browser.faults(), Vec::<String>::new());
    assert_eq!(browser.requests(), Vec::<String>::new());
}

#[test]
fn the_figures_of_the_policies_are_those_of_the_json() {
    let outcome = outcome(&SMALL);
    let json = serde_json::to_value(&outcome).unwrap();
    let mut browser = open(&outcome);
    let rows = browser.evaluate(
        "[...document.querySelectorAll('#policies tbody tr')].map((row) => [row.querySelector('th').textContent,
          Object.fromEntries([...row.querySelectorAll('data')].map((data) => [data.dataset.field, data.value]))])",
    );
    for (row, policy) in rows.as_array().unwrap().iter().zip(json["policies"].as_array().unwrap()) {
        assert_eq!(row[0], policy["policy"]);
        for (field, value) in policy["figures"].as_object().unwrap() {
            assert_eq!(number(&row[1][field]), value.as_f64(), "{field} of {}", policy["policy"]);
        }
    }
    assert_eq!(rows.as_array().unwrap().len(), 3);
    let read = browser.evaluate(
        "['sources', 'inputs', 'remarks'].map((id) => [...document.querySelectorAll(`#${id} data`)].map((d) => Number(d.value)))",
    );
    assert_eq!(read, json!([[0, 1310, 64, 90, 101, 12], [60], [60, 1]]));
}

#[test]
fn the_figures_of_the_charts_are_those_of_the_json() {
    let outcome = outcome(&SMALL);
    let mut browser = open(&outcome);
    let load = figures(&mut browser, "load-chart");
    let traffic = figures(&mut browser, "traffic-chart");
    assert_eq!((load.len(), traffic.len()), (60, 60));
    for (column, policy) in outcome.policies.iter().enumerate() {
        let series = &policy.series;
        for t in 0..60 {
            let expected = [series.load_distance[t], series.bound[t], series.restarts[t] as f64].map(Some);
            assert_eq!(load[t][column * 3..][..3], expected, "{} at {t}", policy.policy);
            assert_eq!(traffic[t][column], series.cross_node_tuples_per_sec[t], "{} at {t}", policy.policy);
        }
    }
    let heat = figures(&mut browser, "heat-chart");
    for (node, row) in outcome.policies[1].heat.utilization.iter().enumerate() {
        let there: Vec<f64> = row.iter().flatten().map(|value| (value * 1000.0).round() / 1000.0).collect();
        let mean = there.iter().sum::<f64>() / there.len() as f64;
        let worst = there.iter().copied().fold(0.0, f64::max);
        assert!((heat[node][0].unwrap() - mean).abs() < 1e-9, "mean of {node}");
        assert_eq!(heat[node][1], Some(worst), "worst of {node}");
    }
}

#[test]
fn the_lines_are_where_their_figures_say() {
    let outcome = outcome(&SMALL);
    let mut browser = open(&outcome);
    let ticks = browser.evaluate(
        "[...document.querySelectorAll('#load-chart [aria-label=\"y-axis tick label\"] text')].map((tick) =>
          [Number(tick.textContent), Number(tick.getAttribute('transform').split(/[,)]/)[1])])",
    );
    let ticks = ticks.as_array().unwrap();
    let tick = |i: usize| (ticks[i][0].as_f64().unwrap(), ticks[i][1].as_f64().unwrap());
    let ((low, bottom), (high, top)) = (tick(0), tick(ticks.len() - 1));
    for (color, policy) in [(0, &outcome.policies[0]), (1, &outcome.policies[1]), (2, &outcome.policies[2])] {
        let path = browser.evaluate(&format!(
            "document.querySelector('#load-chart g[aria-label=line][stroke=\"var(--series-{color})\"]:not([stroke-dasharray]) path')
               .getAttribute('d').slice(1).split('L').map((point) => point.split(',')[1])"
        ));
        let path = numbers(&path);
        assert_eq!(path.len(), 60, "{}", policy.policy);
        for (y, value) in path.iter().zip(&policy.series.load_distance) {
            let expected = bottom + (value - low) / (high - low) * (top - bottom);
            assert!(
                (y.unwrap() - expected).abs() < 0.01,
                "{}: {value} at {y:?}, not {expected}",
                policy.policy
            );
        }
    }
}

#[test]
fn placements_and_moves_are_those_of_the_policy_looked_at() {
    let outcome = outcome(&SMALL);
    let mut browser = open(&outcome);
    choose(&mut browser, 2);
    assert_eq!(browser.evaluate("document.querySelector('[data-shown]').textContent"), "flux");
    let flux = &outcome.policies[2];
    let rows = browser.evaluate(
        "[...document.querySelectorAll('#placement tbody tr')].map((row) => [row.querySelector('th').textContent,
          ...[1, 3].map((i) => row.children[i].querySelector('data')?.value),
          ...[2, 4].map((i) => [...row.children[i].querySelectorAll('li b')].map((port) => Number(port.textContent)))])",
    );
    for (row, (before, after)) in rows.as_array().unwrap().iter().zip(flux.before.iter().zip(&flux.after)) {
        let ports =
            |node: &ballast::replay::NodePlaced| node.workers.iter().map(|w| w.port).collect::<Vec<_>>();
        let used = |node: &ballast::replay::NodePlaced| node.utilization.map(|of| of.to_string());
        assert_eq!(row, &json!([before.host, used(before), used(after), ports(before), ports(after)]));
    }
    let moves = browser.evaluate(
        "[...document.querySelectorAll('#moves tbody tr')].map((row) => [Date.parse(row.querySelector('time').dateTime) / 1000,
          row.children[4].textContent, row.querySelector('data').value, row.children[6].textContent])",
    );
    let expected: Vec<Value> =
        flux.moves.iter().map(|m| json!([m.at, m.to, m.load_distance_gain.to_string(), m.because])).collect();
    assert_eq!(moves, Value::from(expected));
    let notes =
        browser.evaluate("[...document.querySelectorAll('#notes data')].map((data) => Number(data.value))");
    assert_eq!(notes, json!([60, 22]), "windows of its notes");
    let said = browser.evaluate("document.getElementById('moves-count').textContent");
    assert_eq!(said, "7 of 7 moves. 31 later moves are not in this page.");
}

#[test]
fn hostile_names_are_shown_and_do_not_run() {
    let mut browser = open(&hostile());
    assert_eq!(browser.faults(), Vec::<String>::new());
    assert_eq!(browser.requests(), Vec::<String>::new());
    choose(&mut browser, 2);
    assert_eq!(browser.evaluate("document.querySelector('[data-shown]').textContent"), HOSTILE[3]);
    let first = browser.evaluate("document.querySelector('#moves bdi').textContent");
    assert_eq!(first, HOSTILE[0]);
    assert_eq!(browser.evaluate("document.querySelectorAll('img, svg svg, [onload], [onerror]').length"), 0);
    assert_eq!(browser.faults(), Vec::<String>::new());
}

#[test]
fn markup_that_got_into_the_page_would_not_run_either() {
    let page = report::page(&outcome(&SMALL));
    let markup = "<script>window.ran = 1</script><img src=\"https://example.org/x\" onerror=\"window.ran = 2\">\
                  <svg onload=\"window.ran = 3\"></svg><h1>";
    let broken = page.replacen("<h1>", markup, 1);
    assert_ne!(broken, page);
    let mut browser = Browser::open(&broken);
    assert_eq!(browser.evaluate("document.querySelectorAll('img').length"), 1, "the markup is in the page");
    assert_eq!(browser.evaluate("typeof window.ran"), "undefined");
    let loaded = browser.seen("Network.responseReceived").len();
    assert_eq!(loaded, 1, "nothing but the page itself was loaded");
}

/// Texts that are hard to read: their color, the ground below, and the contrast (WCAG 2.2, success criterion 1.4.3).
const HARD_TO_READ: &str = "(() => {
  const parse = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = (rgb) => {
    const [r, g, b] = rgb.slice(0, 3).map((part) => part / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
  const ground = (of) => {
    for (let at = of; at; at = at.parentElement) {
      const color = parse(getComputedStyle(at).backgroundColor);
      if (color.length === 3 || color[3] === 1) return color;
    }
    return [255, 255, 255];
  };
  document.querySelectorAll('details').forEach((details) => (details.open = true));
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), hard = [];
  let read = 0;
  while (texts.nextNode()) {
    const of = texts.currentNode.parentElement, style = getComputedStyle(of);
    if (!texts.currentNode.textContent.trim() || of.closest('script, style, :disabled, noscript') || !of.getClientRects().length) continue;
    read += 1;
    const color = parse(of instanceof SVGElement ? style.fill : style.color), found = contrast(color, ground(of));
    if (found < 4.5) hard.push([texts.currentNode.textContent.trim().slice(0, 40), color.join(), ground(of).join(), found]);
  }
  const marks = [...Array(11).keys()].map((i) => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = `var(--series-${i})`;
    const found = contrast(parse(getComputedStyle(probe).color), ground(document.body));
    probe.remove();
    return found;
  });
  return { read, hard, faintest: Math.min(...marks) };
})()";

#[test]
fn text_and_lines_have_contrast_in_light_in_dark_and_in_print() {
    let mut browser = open(&hostile());
    for (scheme, media) in [("light", "screen"), ("dark", "screen"), ("dark", "print")] {
        browser.media(scheme, media);
        let found = browser.evaluate(HARD_TO_READ);
        assert!(found["read"].as_u64().unwrap() > 100, "{scheme}: only {} texts", found["read"]);
        assert_eq!(found["hard"], json!([]), "{scheme} on {media}");
        assert!(found["faintest"].as_f64().unwrap() >= 3.0, "{scheme}: a line has {}", found["faintest"]);
    }
    browser.media("dark", "screen");
    let ground = "getComputedStyle(document.body).backgroundColor";
    let dark = browser.evaluate(ground);
    browser.media("light", "screen");
    assert_ne!(browser.evaluate(ground), dark, "dark is a look of its own");
}

#[test]
fn every_control_is_reached_by_tab_and_shows_that_it_has_the_focus() {
    let mut browser = open(&outcome(&SMALL));
    let mut reached: Vec<String> = Vec::new();
    for _ in 0..60 {
        browser.press("Tab", 9);
        let at = browser.evaluate(
            "(() => {
               const at = document.activeElement, style = getComputedStyle(at);
               if (at === document.body) return null;
               return [at.id || at.className || at.name || at.closest('[id]')?.id + ' ' + at.tagName.toLowerCase(),
                 style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2];
             })()",
        );
        let Some(name) = at[0].as_str() else { break };
        assert_eq!(at[1], true, "{name} does not show that it has the focus");
        reached.push(name.to_owned());
    }
    assert_eq!(reached[0], "skip");
    let order =
        ["policy", "load-chart summary", "heat-order", "plot", "moves-find", "moves-kind", "moves-order"];
    let places: Vec<usize> = order
        .iter()
        .map(|name| {
            reached.iter().position(|at| at == name).unwrap_or_else(|| panic!("{name} is not in {reached:?}"))
        })
        .collect();
    assert!(places.is_sorted(), "{reached:?}");
}

#[test]
fn the_controls_work_by_keyboard() {
    let mut browser = open(&outcome(&SMALL));
    let shown = "document.querySelector('[data-shown]').textContent";
    assert_eq!(browser.evaluate(shown), "albic");
    browser.evaluate("document.querySelector('input[name=policy]:checked').focus()");
    browser.press("ArrowRight", 39);
    assert_eq!(browser.evaluate(shown), "flux");
    browser.evaluate("document.querySelector('#load-chart summary').focus()");
    browser.press("Enter", 13);
    assert_eq!(browser.evaluate("document.querySelector('#load-chart details').open"), true);
    browser.evaluate("document.querySelector('#heat-chart .plot').focus()");
    browser.press("ArrowDown", 40);
    browser.press("ArrowDown", 40);
    let cell = browser.evaluate("document.getElementById('heat-cell').textContent");
    let value = outcome(&SMALL).policies[2].heat.utilization[1][0].unwrap();
    assert_eq!(cell, format!("stream-001.example.org, until 2026-11-30 00:01:00: {value:.3}"));
    browser.evaluate("document.getElementById('moves-find').focus()");
    browser.type_text("clicks swap");
    let count = "document.getElementById('moves-count').textContent";
    assert!(browser.evaluate(count).as_str().unwrap().starts_with("0 of 7"), "swaps are all of flights");
    browser.evaluate("document.getElementById('moves-find').select()");
    browser.type_text("flights swap");
    assert!(browser.evaluate(count).as_str().unwrap().starts_with("2 of 7"), "{}", browser.evaluate(count));
    assert_eq!(browser.evaluate("document.querySelectorAll('#moves tbody tr').length"), 2);
}

#[test]
fn it_fits_a_phone_and_grows_again() {
    let mut browser = open(&outcome(&SMALL));
    let chart = "document.querySelector('#load-chart svg').getBoundingClientRect().width";
    for width in [390, 1280] {
        browser.width(width);
        let wide = browser.evaluate("document.documentElement.scrollWidth").as_u64().unwrap();
        assert!(wide <= u64::from(width), "the page is {wide} wide at {width}");
        let drawn = browser.evaluate(chart).as_f64().unwrap();
        assert!(drawn > f64::from(width) * 0.8, "the chart is {drawn} wide at {width}");
    }
}

#[test]
fn the_charts_are_printed() {
    let mut browser = open(&outcome(&SMALL));
    let whole = browser.pdf();
    assert!(whole.starts_with(b"%PDF-"));
    browser.evaluate("document.querySelectorAll('.plot').forEach((plot) => plot.remove())");
    let without = browser.pdf();
    assert!(
        whole.len() > without.len() + 10_000,
        "{} bytes with charts, {} without",
        whole.len(),
        without.len()
    );
}

#[test]
fn a_large_replay_is_drawn_with_few_enough_elements_and_in_pages() {
    let outcome = outcome(&LARGE);
    let mut browser = open(&outcome);
    assert_eq!(browser.faults(), Vec::<String>::new());
    let elements = browser.evaluate("document.querySelectorAll('*').length").as_u64().unwrap();
    assert!(elements < 40_000, "{elements} elements");
    assert_eq!(browser.evaluate("document.querySelectorAll('#moves tbody tr').length"), 50);
    assert_eq!(browser.evaluate("document.querySelectorAll('#placement tbody tr').length"), 25);
    browser.evaluate("document.querySelectorAll('#moves-pages button')[1].click()");
    let label = browser.evaluate("document.querySelector('#moves-pages span').textContent");
    assert_eq!(label, "Page 2 of 8");
}
