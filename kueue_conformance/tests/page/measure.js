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

page.onload = () => {
  const document = page.contentDocument, view = page.contentWindow;
  for (const one of document.querySelectorAll("details")) one.open = true;
  const contrast = texts(document).map((one) => {
    const style = view.getComputedStyle(one), ink = parse(one.namespaceURI.endsWith("svg") ? style.fill : style.color);
    return { text: one.textContent.trim().slice(0, 40), of: one.tagName + "." + (one.getAttribute("class") || ""), ratio: ratio(ink, behind(one, view)) };
  });
  const names = (selector) => [...document.querySelectorAll(selector)].map((one) => one.textContent);
  found.textContent = JSON.stringify({
    width: view.innerWidth, dark: view.matchMedia("(prefers-color-scheme: dark)").matches,
    scrolls: document.documentElement.scrollWidth - document.documentElement.clientWidth, texts: contrast.length,
    low: contrast.filter((one) => one.ratio < 4.5), lanes: names(".lane"), states: names(".state text"),
    filled: [...document.querySelectorAll("path")].filter((one) => view.getComputedStyle(one).fill !== "none").length, paths: document.querySelectorAll("path").length,
    wrong: document.querySelectorAll("circle.wrong").length, marks: document.querySelectorAll("circle").length,
    links: [...document.querySelectorAll("a[href^='#']")].filter((one) => !document.getElementById(one.getAttribute("href").slice(1))).map((one) => one.href),
    fetched: view.performance.getEntriesByType("resource").map((one) => one.name),
  });
};
