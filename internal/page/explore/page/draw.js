// Drawing: places for the vertices of a view, and SVG elements for them. Names only ever
// become text nodes.
"use strict";

const SVG = "http://www.w3.org/2000/svg";

export const element = (name, attributes = {}, ...children) => {
  const e = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  e.append(...children);
  return e;
};

// shown is a name for the eye: what has no shape, or turns text around, becomes its number.
export const shown = (name, most = 60) => {
  let text = "", count = 0;
  for (const c of name) {
    if (++count > most) return text + "…";
    text += /[\p{C}\p{Zl}\p{Zp}]/u.test(c) ? "\\u{" + c.codePointAt(0).toString(16) + "}" : c;
  }
  return text === "" ? "(no name)" : text;
};

const radius = (v, many) => (3.5 + Math.min(6, Math.log10(1 + v.degree) * 1.3)) * (many > 150 ? 0.7 : 1);

// rings puts the first vertex in the middle, the others on rings by their hops, and every
// vertex into the sector of its parent. A crowded ring has several rows.
export const rings = (view, width, height) => {
  const all = view.vertices, children = all.map(() => []), depth = Math.max(...all.map(v => v.level), 1);
  all.forEach((v, i) => { if (v.parent >= 0) children[v.parent].push(i); });
  const order = all.map((_, i) => i).sort((a, b) => all[b].level - all[a].level);
  const leaves = all.map(() => 0);
  for (const i of order) leaves[i] = Math.max(1, children[i].reduce((sum, c) => sum + leaves[c], 0));
  const outer = Math.max(80, Math.min(width, height) / 2 - 34), step = outer / (depth + 0.15);
  const places = all.map(() => ({ x: 0, y: 0, angle: 0, r: 0 })), row = new Map();
  const put = (i, from, to) => {
    const v = all[i], angle = (from + to) / 2;
    if (i > 0) {
      const k = row.get(v.level) || 0;
      row.set(v.level, k + 1);
      const rows = Math.min(4, Math.ceil((2 * radius(v, all.length) + 5) / ((to - from) * step * v.level)));
      const r = step * v.level - (k % rows) * Math.min(18, step * 0.8 / rows);
      places[i] = { x: r * Math.cos(angle), y: r * Math.sin(angle), angle, r };
    }
    let at = from;
    for (const c of children[i]) {
      const share = (to - from) * leaves[c] / leaves[i];
      put(c, at, at + share);
      at += share;
    }
  };
  put(0, -Math.PI / 2 + 0.12, 1.5 * Math.PI - 0.12); // the names of the rings are in the gap
  return { places, rings: Array.from({ length: depth }, (_, k) => step * (k + 1)) };
};

// layers puts paths from left to right, and orders layers so that few edges cross.
export const layers = (view, width, height) => {
  const all = view.vertices, depth = Math.max(...all.map(v => v.level), 1);
  const columns = Array.from({ length: depth + 1 }, () => []);
  all.forEach((v, i) => columns[v.level].push(i));
  const near = all.map(() => []);
  for (const [a, b] of view.edges) { near[a].push(b); near[b].push(a); }
  const rank = all.map(() => 0.5);
  const settle = column => column.forEach((i, k) => { rank[i] = (k + 0.5) / column.length; });
  columns.forEach(settle);
  for (let pass = 0; pass < 6; pass++) {
    for (const column of pass % 2 ? [...columns].reverse() : columns) {
      const mean = new Map(column.map(i => [i, near[i].length ? near[i].reduce((s, j) => s + rank[j], 0) / near[i].length : rank[i]]));
      column.sort((a, b) => mean.get(a) - mean.get(b) || a - b);
      settle(column);
    }
  }
  const w = width - 110, h = height - 70, places = [];
  columns.forEach((column, d) => column.forEach((i, k) => {
    const zigzag = h / column.length < 12 ? (k % 3 - 1) * Math.min(16, w / depth / 4) : 0;
    places[i] = { x: -w / 2 + w * d / depth + zigzag, y: h * ((k + 0.5) / column.length - 0.5), angle: 0, r: 0 };
  }));
  return { places, rings: [] };
};

const line = (p, q, tree, flat) => {
  const n = x => x.toFixed(1);
  if (flat) {
    const mid = (p.x + q.x) / 2;
    return `M${n(p.x)},${n(p.y)}C${n(mid)},${n(p.y)} ${n(mid)},${n(q.y)} ${n(q.x)},${n(q.y)}`;
  }
  if (tree) {
    const r = (p.r + q.r) / 2, from = p.r ? p.angle : q.angle;
    return `M${n(p.x)},${n(p.y)}C${n(r * Math.cos(from))},${n(r * Math.sin(from))} ${n(r * Math.cos(q.angle))},${n(r * Math.sin(q.angle))} ${n(q.x)},${n(q.y)}`;
  }
  return `M${n(p.x)},${n(p.y)}Q${n((p.x + q.x) * 0.32)},${n((p.y + q.y) * 0.32)} ${n(q.x)},${n(q.y)}`;
};

const ruler = document.createElement("canvas").getContext("2d");
const overlap = (a, b) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

// labels returns where names fit beside their vertices without covering anything.
const labels = (view, places, circles, flat, width, height) => {
  const taken = view.vertices.map((v, i) => { const r = radius(v, view.vertices.length); return { x: places[i].x - r, y: places[i].y - r, w: 2 * r, h: 2 * r }; });
  for (const r of circles) taken.push({ x: -20, y: -r - 13, w: 40, h: 12 });
  const order = view.vertices.map((_, i) => i).sort((a, b) =>
    (view.fixed.has(b) - view.fixed.has(a)) || view.vertices[a].level - view.vertices[b].level || view.vertices[b].degree - view.vertices[a].degree || a - b);
  const found = [];
  for (const i of order) {
    const v = view.vertices[i], p = places[i], big = view.fixed.has(i), r = radius(v, view.vertices.length) + 4;
    ruler.font = (big ? "600 14px" : "12px") + " system-ui, sans-serif";
    const text = shown(v.name, big ? 40 : 24), w = ruler.measureText(text).width + 2, h = big ? 18 : 14;
    const right = { x: p.x + r, y: p.y - h / 2, w, h, anchor: "start", at: p.x + r }, left = { x: p.x - r - w, y: p.y - h / 2, w, h, anchor: "end", at: p.x - r };
    const below = { x: p.x - w / 2, y: p.y + r - 2, w, h, anchor: "middle", at: p.x }, above = { x: p.x - w / 2, y: p.y - r - h + 2, w, h, anchor: "middle", at: p.x };
    const shifted = b => { const x = Math.max(1 - width / 2, Math.min(b.x, width / 2 - 1 - w)); return { ...b, x, anchor: "start", at: x }; };
    const tries = flat ? [below, above, right, left] : p.x >= 0 ? [right, left, below, above] : [left, right, above, below];
    if (big) tries.push(shifted(below), shifted(above));
    const inside = b => b.x > -width / 2 && b.x + b.w < width / 2 && b.y > -height / 2 && b.y + b.h < height / 2;
    const free = tries.find(b => inside(b) && !taken.some((t, j) => j !== i && overlap(b, t)));
    const box = free || (big ? tries.find(inside) || tries[2] : null);
    if (!box) continue;
    taken.push(box);
    found.push(element("text", { class: big ? "name big" : "name", x: box.at.toFixed(1), y: (box.y + h * 0.76).toFixed(1), "text-anchor": box.anchor, "data-place": i }, text));
  }
  return found;
};

// ahead is the number of edges that lead on from a vertex in the direction of the view and are not drawn.
export const ahead = (v, incoming) => incoming ? v.hidden_in : v.hidden - v.hidden_in;

const describe = (v, flat, directed) => {
  const n = x => x.toLocaleString("en");
  const edges = directed ? `edges out: ${n(v.degree - v.in_degree)}, edges in: ${n(v.in_degree)}` : `neighbours: ${n(v.degree)}`;
  return `${shown(v.name, 200)}, hops: ${v.level}, ${edges}` + (flat ? "" : `, not drawn: ${n(v.hidden)}`);
};

// draw fills an SVG element, and returns the places of the vertices.
export const draw = (svg, view, flat, directed, incoming) => {
  const width = svg.clientWidth || 800, height = svg.clientHeight || 600;
  const { places, rings: circles } = (flat ? layers : rings)(view, width, height);
  const back = element("g"), lines = element("g"), dots = element("g"), names = element("g");
  circles.forEach((r, k) => back.append(element("circle", { class: "ring", r: r.toFixed(1) }),
    element("text", { class: "ring-name", y: (-r - 3).toFixed(1) }, `${k + 1} hop${k ? "s" : ""}`)));
  const marker = element("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 14, refY: 4, markerWidth: 5, markerHeight: 5, orient: "auto-start-reverse" },
    element("path", { class: "arrow", d: "M0,0L8,4L0,8z" }));
  const others = [];
  for (const [a, b] of view.edges) {
    const down = view.vertices[b].parent === a, up = view.vertices[a].parent === b;
    if (!flat && !down && !up) { others.push(line(places[a], places[b], false, flat)); continue; }
    const path = element("path", { class: "edge tree", d: up && !flat ? line(places[b], places[a], true, flat) : line(places[a], places[b], true, flat) });
    if (directed) path.setAttribute(up && !flat ? "marker-start" : "marker-end", "url(#arrow)");
    lines.append(path);
  }
  if (others.length) lines.prepend(element("path", { class: "edge", opacity: Math.max(0.12, Math.min(0.5, 4 / Math.sqrt(others.length))).toFixed(2), d: others.join("") }));
  lines.append(element("g", { id: "lit" }));
  view.vertices.forEach((v, i) => {
    const r = radius(v, view.vertices.length), p = places[i];
    const g = element("g", { class: `vertex v${Math.min(6, v.level)}`, transform: `translate(${p.x.toFixed(1)},${p.y.toFixed(1)})`, role: "button", tabindex: -1, "aria-label": describe(v, flat, directed), "data-place": i, "data-id": v.id },
      element("title", {}, describe(v, flat, directed)), element("circle", { r: r.toFixed(1) }));
    if (!flat && ahead(v, incoming) > 0) g.append(element("circle", { class: "more", r: (r + 3).toFixed(1) }));
    dots.append(g);
  });
  names.append(...labels(view, places, circles, flat, width, height));
  svg.replaceChildren(element("defs", {}, marker), back, lines, dots, names);
  svg.setAttribute("viewBox", `${-width / 2} ${-height / 2} ${width} ${height}`);
  return places;
};

// light shows all edges of one vertex.
export const light = (svg, view, places, flat, place) => {
  svg.querySelector("#lit").replaceChildren(...view.edges.filter(e => e.includes(place)).map(([a, b]) =>
    element("path", { class: "edge lit", d: line(places[a], places[b], false, flat) })));
};
