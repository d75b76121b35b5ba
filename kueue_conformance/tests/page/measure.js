// Runs beside the page, in the document around its frame.
const parse = (text) => { const found = text.match(/[\d.]+/g); return found ? found.map(Number) : null; };
const luminance = ([r, g, b]) => [r, g, b].map((one) => one / 255).map((one) => one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4)
  .reduce((sum, one, at) => sum + one * [0.2126, 0.7152, 0.0722][at], 0);
const ratio = (one, other) => { const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a); return (high + 0.05) / (low + 0.05); };
const opaque = (color) => color && (color.length < 4 || color[3] === 1) ? color : null;

function behind(element, view) {
  const box = element.closest(".state") && element.parentNode.querySelector("rect");
  if (box) return parse(view.getComputedStyle(box).fill);
  for (let one = element; one; one = one.parentElement) {
    const color = opaque(parse(view.getComputedStyle(one).backgroundColor));
    if (color) return color;
  }
  return [255, 255, 255];
}

function texts(document) {
  return [...document.body.querySelectorAll("*")].filter((one) => !["TITLE", "STYLE", "title"].includes(one.tagName)
    && [...one.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim()));
}

const own = (one) => [...one.childNodes].filter((child) => child.nodeType === 3).map((child) => child.textContent).join("").trim();
const told = (one) => `${one.tagName} ${one.getAttribute("class") || ""} "${own(one).slice(0, 30)}"`;
const leaves = (inner, outer) => inner.left < outer.left - 1 || inner.right > outer.right + 1 || inner.top < outer.top - 1 || inner.bottom > outer.bottom + 1;

// What is drawn leaves its shape, its drawing or the window, or is cut by a box that scrolls.
function misplaced(document, view) {
  const found = [];
  for (const one of document.querySelectorAll("svg text")) {
    const box = one.getBoundingClientRect(), shape = one.closest(".state") && one.parentNode.querySelector("rect");
    if (box.width && leaves(box, (shape || one.ownerSVGElement).getBoundingClientRect())) found.push(`out of its shape: ${told(one)}`);
  }
  for (const one of document.querySelectorAll("svg, p, td, button, input, figure, h1, h2, h3, h4, pre")) {
    const box = one.getBoundingClientRect();
    if (box.width && !one.closest(".hidden, .wide, thead") && (box.left < -1 || box.right > view.innerWidth + 1)) found.push(`out of the window: ${told(one)}`);
  }
  for (const one of document.querySelectorAll(".stacked td > *")) {
    const cell = one.parentNode, room = parseFloat(view.getComputedStyle(cell, "::before").width) || 0;
    if (one.getClientRects().length && one.getClientRects()[0].left < cell.getBoundingClientRect().left + room - 1) found.push(`under its label: ${told(one)}`);
  }
  for (const one of document.querySelectorAll(".story, .machines, .stacked")) if (one.scrollWidth > one.clientWidth + 1) found.push(`cut: ${told(one)}`);
  return found;
}

// What a reader does: types, presses, tabs.
async function used(document, view) {
  const search = document.getElementById("search"), shown = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.getClientRects().length).length;
  if (!search || search.closest("[hidden]")) return null;
  const type = (text) => { search.value = text; search.dispatchEvent(new view.Event("input")); };
  const all = shown(".of"), first = document.querySelector(".of").id;
  type(first.toLowerCase());
  const one = shown(".of"), said = document.getElementById("found").textContent;
  type("no such word anywhere");
  const none = shown(".of") + shown(".cause");
  type("");
  const filters = {};
  for (const name of ["only-wrong", "only-aside", "only-all"]) { document.getElementById(name).checked = true; filters[name] = shown(".of"); }
  document.getElementById("only-must").checked = true;
  filters.must = [shown(".of"), document.querySelectorAll(".of.must").length];
  document.getElementById("only-must").checked = false;
  const button = document.querySelector("button.copy");
  let copied = "";
  document.execCommand = () => { copied = document.activeElement.value; return true; };
  Object.defineProperty(view, "isSecureContext", { value: false });
  button.click();
  await new Promise((done) => setTimeout(done));
  button.focus({ focusVisible: true });
  const ring = view.getComputedStyle(button).outlineStyle;
  const folded = document.querySelector(".of");
  folded.open = false;
  view.location.hash = `#${folded.id}`;
  await new Promise((done) => view.addEventListener("hashchange", () => setTimeout(done), { once: true }));
  return { all, one, said, none, filters, copied, command: document.querySelector(".command").textContent, label: button.textContent, ring, opened: folded.open,
    commands: document.querySelectorAll(".command").length, buttons: document.querySelectorAll("button.copy").length };
}

const nameless = (document) => [...document.querySelectorAll("input, button, [role=img], [role=region], nav")]
  .filter((one) => !(one.labels && one.labels.length) && !one.getAttribute("aria-label") && !one.getAttribute("aria-labelledby")).map(told);

page.onload = async () => {
  const document = page.contentDocument, view = page.contentWindow;
  for (const one of document.querySelectorAll("details")) one.open = true;
  const contrast = texts(document).map((one) => {
    const style = view.getComputedStyle(one), ink = parse(one.namespaceURI.endsWith("svg") ? style.fill : style.color);
    return { text: one.textContent.trim().slice(0, 40), of: one.tagName + "." + (one.getAttribute("class") || ""), ratio: ratio(ink, behind(one, view)) };
  });
  const style = (selector, name) => { const one = document.querySelector(selector); return one && view.getComputedStyle(one)[name]; };
  const names = (selector) => [...document.querySelectorAll(selector)].map(own);
  found.textContent = JSON.stringify({
    misplaced: misplaced(document, view), nameless: nameless(document), blocks: style(".stacked tr", "display"), used: await used(document, view),
    width: view.innerWidth, dark: view.matchMedia("(prefers-color-scheme: dark)").matches,
    scrolls: document.documentElement.scrollWidth - document.documentElement.clientWidth, texts: contrast.length,
    low: contrast.filter((one) => one.ratio < 4.5), lanes: names(".lane"), states: names(".state text"),
    filled: [...document.querySelectorAll("path")].filter((one) => view.getComputedStyle(one).fill !== "none").length, paths: document.querySelectorAll("path").length,
    wrong: document.querySelectorAll("circle.wrong").length, marks: document.querySelectorAll("circle").length,
    links: [...document.querySelectorAll("a[href^='#']")].filter((one) => !document.getElementById(one.getAttribute("href").slice(1))).map((one) => one.href),
    fetched: view.performance.getEntriesByType("resource").map((one) => one.name),
  });
};
