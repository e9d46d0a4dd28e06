// Saving a drawing: PNG, SVG, DOT and CSV are made here, from what is on the page.
"use strict";

const looks = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size", "font-family", "font-weight", "text-anchor", "paint-order"];

// picture is the drawing as a file of its own, with the looks that the page gives it.
const picture = svg => {
  const copy = svg.cloneNode(true), box = svg.viewBox.baseVal;
  const originals = svg.querySelectorAll("*"), copies = copy.querySelectorAll("*");
  originals.forEach((original, i) => {
    const style = getComputedStyle(original);
    for (const look of looks) copies[i].setAttribute(look, style.getPropertyValue(look));
    for (const name of ["id", "class", "role", "tabindex", "aria-label"]) if (name !== "id" || copies[i].id === "lit") copies[i].removeAttribute(name);
  });
  for (const name of ["id", "class", "role", "aria-label"]) copy.removeAttribute(name);
  copy.setAttribute("width", box.width);
  copy.setAttribute("height", box.height);
  const paper = document.createElementNS(svg.namespaceURI, "rect");
  for (const [key, value] of Object.entries({ x: box.x, y: box.y, width: box.width, height: box.height, fill: getComputedStyle(svg).backgroundColor })) paper.setAttribute(key, value);
  copy.prepend(paper);
  return { text: new XMLSerializer().serializeToString(copy), width: box.width, height: box.height };
};

const image = async svg => {
  const { text, width, height } = picture(svg);
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    const img = new Image();
    img.src = address;
    await img.decode();
    const canvas = document.createElement("canvas");
    canvas.width = 2 * width;
    canvas.height = 2 * height;
    canvas.getContext("2d").drawImage(img, 0, 0, canvas.width, canvas.height);
    return await new Promise(done => canvas.toBlob(done, "image/png"));
  } finally {
    URL.revokeObjectURL(address);
  }
};

// bytes turns text back into what the graph has: half a surrogate stands for a byte that
// is not UTF-8.
const bytes = text => {
  const parts = [];
  for (const piece of text.split(/([\udc80-\udcff]+)/)) {
    parts.push(/^[\udc80-\udcff]/.test(piece) ? Uint8Array.from(piece, c => c.charCodeAt(0) & 0xff) : new TextEncoder().encode(piece));
  }
  return parts;
};

const dot = (view, directed) => {
  const quote = text => '"' + text.replace(/["\\]/g, "\\$&").replace(/\0/g, "\\\\0") + '"';
  const lines = view.vertices.map((v, i) => `  n${i} [label=${quote(v.name)}];`).concat(view.edges.map(([a, b]) => `  n${a} ${directed ? "->" : "--"} n${b};`));
  return `${directed ? "digraph" : "graph"} {\n${lines.join("\n")}\n}\n`;
};

const csv = view => {
  const quote = text => /[",\r\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
  const safe = text => (/^[=+\-@\t\r]/.test(text) ? "'" : "") + text; // no formula in a spreadsheet
  const name = v => quote(safe(v.name));
  const row = v => [name(v), v.level, v.degree, v.parent < 0 ? "" : name(view.vertices[v.parent])].join(",");
  return "vertex,hops,degree,parent\n" + view.vertices.map(v => row(v) + "\n").join("");
};

// contents makes a file of a view.
export const contents = async (kind, svg, view, directed) => {
  switch (kind) {
    case "png": return image(svg);
    case "svg": return new Blob([picture(svg).text], { type: "image/svg+xml" });
    case "dot": return new Blob(bytes(dot(view, directed)), { type: "text/vnd.graphviz" });
    default: return new Blob(bytes(csv(view)), { type: "text/csv" });
  }
};

export const save = (blob, name) => {
  const a = document.createElement("a");
  a.href = URL.createObjectURL(blob);
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 10000);
};
