// The page: what is shown is a function of the address behind #. Every step changes that
// address, so that undo is "back", and a link opens the view again.
"use strict";

import { ahead, draw, light, shown } from "./draw.js";
import { contents, save } from "./save.js";

const $ = id => document.getElementById(id);
const count = n => Number(n).toLocaleString("en");
const counted = (n, noun, nouns = noun + "s") => `${count(n)} ${Number(n) === 1 ? noun : nouns}`;
// In a directed graph two edges may lead to one neighbour, so that edges are counted there.
const neighbours = n => counted(n, directed() ? "edge" : "neighbour");
const say = (text, isBad = false) => { $("status").textContent = text; $("status").classList.toggle("bad", isBad); };

// Asking the server.

let token = "", running = new AbortController();
const pause = ms => new Promise(done => setTimeout(done, ms));

const ask = async (route, query, signal) => {
  for (let tries = 0; ; tries++) {
    const answer = await fetch("api/" + route + "?" + new URLSearchParams(query), { signal, headers: token ? { Authorization: "Bearer " + token } : {} });
    const value = await answer.json().catch(() => ({ error: "the server does not answer as it should" }));
    if (answer.ok) return value;
    if (answer.status === 503 && tries < 20 && !signal?.aborted) {
      say(value.error + " …");
      await pause(1000);
      continue;
    }
    if (answer.status === 401) {
      token = prompt("The token of this server") || "";
      if (token) { sessionStorage.setItem("token", token); continue; }
    }
    throw new Error(value.error);
  }
};

// The address. Vertices are there by name, or by number where the name is no text.

let state = new URLSearchParams(), graphs = [], view = null, places = [], focused = 0;
const directed = () => graph().directed;
const graph = () => graphs.find(g => g.name === state.get("graph")) || graphs[0];
const incoming = () => directed() && state.get("direction") === "in";
const name = (key, v) => v.exact ? [key, v.name] : [key + ".id", v.id];

const read = () => {
  const fresh = new URLSearchParams(location.hash.slice(1));
  if (fresh.has("token")) {
    token = fresh.get("token");
    sessionStorage.setItem("token", token);
    fresh.delete("token");
    history.replaceState(history.state, "", "#" + fresh);
  }
  return fresh;
};

const go = entries => {
  const next = new URLSearchParams(entries);
  if (graphs.length > 1) next.set("graph", graph().name);
  history.pushState({ depth: (history.state?.depth || 0) + 1 }, "", "#" + next);
  show();
};

const tools = () => {
  const entries = [["hops", $("hops").value], ["limit", $("limit").value]];
  if ($("max-degree").value) entries.push(["max_degree", $("max-degree").value]);
  if (directed() && $("direction").value === "in") entries.push(["direction", "in"]);
  return entries;
};

const center = v => go([name("vertex", v), ...tools()]);
const isPath = () => state.has("to") || state.has("to.id");
const expand = v => {
  if (isPath()) return center(v);
  const entries = [...state].filter(([key]) => key !== "graph");
  if (state.getAll("expand").includes(String(v.id))) return say("Its neighbours have been added already, as many as fit: move there to see more.");
  if (state.getAll("expand").length >= 40) return say("No more than 40 vertices can be expanded: move there.");
  go([...entries, ["expand", v.id]]);
};
const pathTo = v => {
  const first = view.vertices[0];
  if (v.id === first.id) return say("That is where the paths begin.");
  go([name("from", first), name("to", v), ["limit", $("limit").value]]);
};
const act = (v, other) => (($("click").value === "expand") !== other ? expand : center)(v);

// Showing what the address says.

const show = async () => {
  state = read();
  running.abort();
  running = new AbortController();
  const signal = running.signal, flat = isPath();
  $("undo").disabled = !(history.state?.depth > 0);
  $("graph").value = graph().name;
  const g = graph();
  $("about").textContent = `${shown(g.name)}: ${counted(g.vertices, "vertex", "vertices")}, ${g.directed ? counted(g.edges, "directed edge") : counted(g.edges, "edge")}`;
  $("direction-choice").hidden = !g.directed;
  try {
    if (!flat && !state.has("vertex") && !state.has("vertex.id")) return await welcome(signal);
    document.body.dataset.state = "asking";
    say("Searching …");
    view = await ask(flat ? "paths" : "around", state, signal);
    if (signal.aborted) return;
    fillForm(flat);
    if (view.vertices.length === 0) return nothing();
    paint(flat);
    say("");
    document.body.dataset.state = "drawn";
    if (!flat) await showLevels(signal);
  } catch (e) {
    if (signal.aborted) return;
    say(e.message, true);
    if (document.body.dataset.state === "drawn") return; // only the levels are missing
    blank();
    document.body.dataset.state = "failed";
  }
};

const blank = () => {
  view = null;
  $("main").hidden = true;
};

const nothing = () => {
  blank();
  say("No path leads there.");
  document.body.dataset.state = "drawn";
};

const fillForm = flat => {
  const first = view.vertices[0], last = view.vertices.at(-1);
  const given = key => state.has(key) ? shown(state.get(key), 500) : null;
  $("from").value = first ? shown(first.name, 500) : given("from") ?? "";
  $("to").value = flat ? (last ? shown(last.name, 500) : given("to") ?? "") : "";
  for (const [id, v] of [["from", first], ["to", flat ? last : null]]) $(id).vertex = v && { vertex: v, text: $(id).value };
  for (const [id, key] of [["hops", "hops"], ["limit", "limit"], ["direction", "direction"]]) if ([...$(id).options].some(o => o.value === state.get(key))) $(id).value = state.get(key);
  if (!flat) { $("max-degree").value = state.get("max_degree") || ""; if (!state.has("direction")) $("direction").value = "out"; }
};

const paint = flat => {
  $("main").hidden = false;
  const keep = document.activeElement?.closest?.(".vertex") ? view.vertices.findIndex(v => String(v.id) === document.activeElement.dataset.id) : -1;
  const extra = new Set(state.getAll("expand"));
  view.fixed = new Set(flat ? [0, view.vertices.length - 1] : [0]);
  if (!flat) view.vertices.forEach((v, i) => { if (extra.has(String(v.id))) view.fixed.add(i); });
  places = draw($("drawing"), view, flat, directed(), incoming());
  $("drawing").setAttribute("aria-label", flat ? "Shortest paths from left to right" : "Neighbourhood, in rings by hops");
  choose(Math.max(0, keep), keep >= 0);
  $("left-list").replaceChildren(...leftOut(flat).map(text => { const li = document.createElement("li"); li.textContent = text; return li; }));
  $("levels").hidden = true;
  $("link").href = location.href;
};

const leftOut = flat => {
  const all = [`Drawn: ${counted(view.vertices.length, "vertex", "vertices")} and ${counted(view.edges.length, "edge")}.`];
  if (flat) {
    all.push(`${view.paths === "1" ? "One shortest path" : view.paths.length > 15 ? `About ${Number(view.paths).toExponential(2)} shortest paths` : count(view.paths) + " shortest paths"} of ${counted(view.hops, "hop")}.`);
    if (view.vertices_left) all.push(`Left out: ${counted(view.vertices_left, "vertex", "vertices")} on them.`);
  } else {
    const [first, ...others] = view.vertices, left = ahead(first, incoming());
    const way = directed() ? incoming() ? " into" : " out of" : " of";
    if (left) all.push(`Left out: ${neighbours(left)}${way} ${shown(first.name, 30)}.`);
    if (others.some(v => ahead(v, incoming()) > 0)) all.push(`Dashed vertices have ${directed() ? `edges${way} them` : "neighbours"} that are not drawn.`);
    if (view.hubs_left) all.push(`Left out: ${counted(view.hubs_left, "hub")} with more than ${neighbours(state.get("max_degree"))}.`);
    if (view.partial) all.push("Some edges among these may be missing: the rows of hubs were not read to their ends.");
  }
  if (view.edges_left) all.push(`Left out: ${counted(view.edges_left, "edge")} among them.`);
  return all;
};

const showLevels = async signal => {
  const first = view.vertices[0];
  const [key, value] = name("vertex", first);
  const query = { [key]: value };
  if (state.has("graph")) query.graph = state.get("graph");
  const { levels } = await ask("levels", query, signal);
  if (signal.aborted) return;
  say("");
  const most = Math.max(...levels), reached = levels.reduce((a, b) => a + b, 0);
  const rows = levels.length > 40 ? [...levels.slice(0, 39).entries(), ["39 +", levels.slice(39).reduce((a, b) => a + b, 0)]] : [...levels.entries()];
  $("levels-rows").replaceChildren(...rows.map(([k, n]) => {
    const tr = document.createElement("tr"), bar = document.createElement("div");
    for (const text of [k, count(n)]) tr.append(Object.assign(document.createElement("td"), { textContent: text }));
    bar.className = "bar";
    bar.style.width = Math.min(100, 100 * n / most) + "%";
    tr.append(document.createElement("td"));
    tr.lastChild.append(bar);
    return tr;
  }));
  $("levels-name").textContent = shown(first.name, 30);
  $("left-list").append(Object.assign(document.createElement("li"), { textContent: `Within reach: ${count(reached)} of ${counted(graph().vertices, "vertex", "vertices")}.` }));
  $("levels").hidden = false;
  document.body.dataset.levels = levels.length;
};

const welcome = async signal => {
  const { matches } = await ask("names", state.has("graph") ? { graph: state.get("graph") } : {}, signal);
  if (signal.aborted) return;
  blank();
  $("from").value = $("to").value = "";
  say("Type a name, or begin with one that has many neighbours: ");
  $("status").append(...matches.map(v => {
    const chip = Object.assign(document.createElement("button"), { type: "button", className: "chip", textContent: shown(v.name, 24) });
    chip.addEventListener("click", () => center(v));
    return chip;
  }));
  document.body.dataset.state = "welcome";
};

// Vertices: pointer and keys.

const node = place => $("drawing").querySelector(`.vertex[data-place="${place}"]`);

const choose = (place, focus) => {
  focused = place;
  const v = view.vertices[place];
  $("drawing").querySelectorAll(".focused").forEach(e => { e.classList.remove("focused"); e.setAttribute("tabindex", -1); });
  node(place).classList.add("focused");
  node(place).setAttribute("tabindex", 0);
  light($("drawing"), view, places, isPath(), place > 0 ? place : -1);
  if (focus) node(place).focus({ preventScroll: true });
  $("chosen-name").textContent = shown(v.name, 300);
  const away = v.level === 0 ? "" : ` ${counted(v.level, "hop")} from ${shown(view.vertices[0].name, 40)}.`;
  const edges = directed() ? `${counted(v.degree - v.in_degree, "edge")} out of it, ${count(v.in_degree)} into it` : neighbours(v.degree);
  $("chosen-facts").textContent = `${edges}${isPath() ? "" : v.hidden ? `, ${count(v.hidden)} of them not drawn` : ", all drawn"}.${away}`;
  $("do-center").disabled = v.level === 0 && !isPath();
  $("do-path").disabled = v.level === 0;
};

// toward is the nearest vertex in a direction, within a cone of 45° to both sides.
const toward = (dx, dy) => {
  let best = -1, least = Infinity;
  places.forEach((p, i) => {
    const x = p.x - places[focused].x, y = p.y - places[focused].y, along = x * dx + y * dy, across = Math.abs(x * dy - y * dx);
    if (i !== focused && along > 0 && across <= along && along + 2 * across < least) [best, least] = [i, along + 2 * across];
  });
  return best;
};

const zoom = (factor, x = 0.5, y = 0.5) => {
  const svg = $("drawing"), box = svg.viewBox.baseVal, w = svg.clientWidth, h = svg.clientHeight;
  if (!factor) return svg.setAttribute("viewBox", `${-w / 2} ${-h / 2} ${w} ${h}`);
  const f = Math.min(Math.max(factor, 0.1 * w / box.width), 4 * w / box.width);
  svg.setAttribute("viewBox", `${box.x + box.width * (1 - f) * x} ${box.y + box.height * (1 - f) * y} ${box.width * f} ${box.height * f}`);
};

const keys = {
  ArrowLeft: () => toward(-1, 0), ArrowRight: () => toward(1, 0), ArrowUp: () => toward(0, -1), ArrowDown: () => toward(0, 1),
};

$("drawing").addEventListener("keydown", e => {
  if (!view || e.ctrlKey || e.metaKey || e.altKey) return;
  const v = view.vertices[focused];
  if (keys[e.key]) { const next = keys[e.key](); if (next >= 0) choose(next, true); } else if (e.key === "Enter" || e.key === " ") act(v, e.shiftKey);
  else if (e.key === "c") center(v); else if (e.key === "a") expand(v); else if (e.key === "p") pathTo(v); else return;
  e.preventDefault();
});

document.addEventListener("keydown", e => {
  if (e.ctrlKey || e.metaKey || e.altKey || e.target.closest("input, select")) return;
  if (e.key === "/") $("from").select(); else if (e.key === "u") undo(); else if (e.key === "+") zoom(0.8); else if (e.key === "-") zoom(1.25); else if (e.key === "0") zoom(0); else return;
  e.preventDefault();
});

let drag = null;
$("drawing").addEventListener("pointerdown", e => { drag = { x: e.clientX, y: e.clientY, moved: false }; });
addEventListener("pointermove", e => {
  if (!drag || e.pointerType === "touch" && e.isPrimary === false) return;
  const box = $("drawing").viewBox.baseVal, dx = e.clientX - drag.x, dy = e.clientY - drag.y;
  if (!drag.moved && Math.hypot(dx, dy) < 5) return;
  const scale = box.width / $("drawing").clientWidth;
  $("drawing").setAttribute("viewBox", `${box.x - dx * scale} ${box.y - dy * scale} ${box.width} ${box.height}`);
  drag = { x: e.clientX, y: e.clientY, moved: true };
});
addEventListener("pointerup", () => setTimeout(() => { drag = null; }));
addEventListener("pointercancel", () => { drag = null; });
$("drawing").addEventListener("click", e => {
  const hit = e.target.closest(".vertex");
  if (!hit || drag?.moved) return;
  choose(Number(hit.dataset.place), true);
  act(view.vertices[focused], e.shiftKey);
});
$("drawing").addEventListener("pointerover", e => { const hit = e.target.closest(".vertex"); if (hit && !drag && e.pointerType === "mouse") choose(Number(hit.dataset.place), false); });
$("drawing").addEventListener("focusin", e => { const hit = e.target.closest(".vertex"); if (hit && Number(hit.dataset.place) !== focused) choose(Number(hit.dataset.place), false); });
$("drawing").addEventListener("wheel", e => {
  if (!e.ctrlKey && !e.shiftKey) return; // the page scrolls
  e.preventDefault();
  const box = $("drawing").getBoundingClientRect();
  zoom(e.deltaY > 0 || e.deltaX > 0 ? 1.15 : 0.87, (e.clientX - box.x) / box.width, (e.clientY - box.y) / box.height);
}, { passive: false });

const undo = () => { if (history.state?.depth > 0) history.back(); };
$("undo").addEventListener("click", undo);
$("do-center").addEventListener("click", () => center(view.vertices[focused]));
$("do-expand").addEventListener("click", () => expand(view.vertices[focused]));
$("do-path").addEventListener("click", () => pathTo(view.vertices[focused]));
$("zoom").addEventListener("click", e => { if (e.target.dataset.zoom) zoom(Number(e.target.dataset.zoom)); });
$("save").addEventListener("click", async e => {
  const kind = e.target.dataset.save;
  if (!kind) return;
  try { save(await contents(kind, $("drawing"), view, directed()), "hops." + kind); } catch (x) { say("It could not be saved: " + x.message, true); }
});

// The form.

const typed = id => {
  const picked = $(id).vertex;
  return picked && picked.text === $(id).value ? picked.vertex : { exact: true, name: $(id).value };
};

$("ask").addEventListener("submit", e => {
  e.preventDefault();
  for (const id of ["from", "to"]) close(id);
  if (!$("from").value) return say("Type a name first.");
  if ($("to").value) go([name("from", typed("from")), name("to", typed("to")), ["limit", $("limit").value]]); else center(typed("from"));
});

for (const id of ["hops", "limit", "max-degree", "direction"]) {
  $(id).addEventListener("change", () => {
    if (!view || !$(id).checkValidity()) return;
    if (isPath()) { if (id === "limit") $("ask").requestSubmit(); } else center(view.vertices[0]);
  });
}
$("graph").addEventListener("change", () => { state = new URLSearchParams({ graph: $("graph").value }); go([]); });

const close = id => { $(id + "-list").hidden = true; $(id).setAttribute("aria-expanded", "false"); $(id).removeAttribute("aria-activedescendant"); };

const pick = (id, v) => {
  $(id).value = shown(v.name, 500);
  $(id).vertex = { vertex: v, text: $(id).value };
  close(id);
};

const suggest = (id, matches, more) => {
  const list = $(id + "-list");
  list.replaceChildren(...matches.map((v, i) => {
    const li = Object.assign(document.createElement("li"), { id: `${id}-${i}`, role: "option", vertex: v });
    li.setAttribute("aria-selected", "false");
    li.append(Object.assign(document.createElement("span"), { textContent: shown(v.name, 80) }), Object.assign(document.createElement("small"), { textContent: neighbours(v.degree) }));
    li.addEventListener("pointerdown", e => { e.preventDefault(); pick(id, v); if (id === "from" && !$("to").value || id === "to") $("ask").requestSubmit(); });
    return li;
  }));
  if (more) list.append(Object.assign(document.createElement("li"), { className: "more", textContent: "… and others" }));
  list.hidden = matches.length === 0;
  $(id).setAttribute("aria-expanded", String(!list.hidden));
};

for (const id of ["from", "to"]) {
  let pending = new AbortController();
  $(id).addEventListener("input", async () => {
    pending.abort();
    pending = new AbortController();
    const signal = pending.signal;
    await pause(80);
    if (signal.aborted) return;
    if (!$(id).value) return close(id);
    try {
      const { matches, more } = await ask("names", { ...(graphs.length > 1 ? { graph: graph().name } : {}), typed: $(id).value }, signal);
      if (!signal.aborted && document.activeElement === $(id)) suggest(id, matches, more);
    } catch { if (!signal.aborted) close(id); }
  });
  $(id).addEventListener("blur", () => { pending.abort(); close(id); });
  $(id).addEventListener("keydown", e => {
    const options = [...$(id + "-list").querySelectorAll("[role=option]")], at = options.findIndex(o => o.getAttribute("aria-selected") === "true");
    if (e.key === "Escape") close(id);
    else if (e.key === "Enter" && at >= 0 && !$(id + "-list").hidden) pick(id, options[at].vertex); // and the form is sent
    else if ((e.key === "ArrowDown" || e.key === "ArrowUp") && options.length) {
      e.preventDefault();
      const next = (at + (e.key === "ArrowDown" ? 1 : at < 0 ? 0 : -1) + options.length) % options.length;
      options.forEach((o, i) => o.setAttribute("aria-selected", String(i === next)));
      options[next].scrollIntoView({ block: "nearest" });
      $(id).setAttribute("aria-activedescendant", options[next].id);
    }
  });
}

let resized;
addEventListener("resize", () => { clearTimeout(resized); resized = setTimeout(() => { if (view && document.body.dataset.state === "drawn") { const shownLevels = !$("levels").hidden; paint(isPath()); $("levels").hidden = !shownLevels; } }, 150); });
addEventListener("popstate", show);

const start = async () => {
  token = sessionStorage.getItem("token") || "";
  state = read();
  try {
    graphs = (await ask("graphs", {})).graphs;
  } catch (e) {
    document.body.dataset.state = "failed";
    return say(e.message, true);
  }
  say("");
  $("graph").replaceChildren(...graphs.map(g => Object.assign(document.createElement("option"), { value: g.name, textContent: shown(g.name) })));
  $("graph-choice").hidden = graphs.length < 2;
  await show();
};
start();
