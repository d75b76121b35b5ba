"use strict";
const PAUSE = 250;
let shown = "";
const element = (tag, text = "", kind = "") => {
  const node = document.createElement(tag);
  node.textContent = text;
  if (kind) node.className = kind;
  return node;
};
const table = (label, heads, rows) => {
  if (!rows.length) return element("p", "none", "dim");
  const box = element("div", "", "wide"), grid = element("table"), head = element("tr"), body = element("tbody");
  box.tabIndex = 0;
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", label);
  heads.forEach((text) => head.append(element("th", text)));
  rows.forEach((cells) => {
    const row = element("tr");
    cells.forEach((cell) => row.append(element("td", String(cell))));
    body.append(row);
  });
  const top = element("thead");
  top.append(head);
  grid.append(top, body);
  box.append(grid);
  return box;
};
const part = (title, node) => {
  const box = element("div");
  box.append(element("h4", title), node);
  return box;
};
const queue = (one) => {
  const rows = one.pending.map((member) => [member.position, member.workload, member.priority, member.since]);
  const reserving = one.reserving.length ? one.reserving.join(", ") : "nobody";
  const box = element("div");
  box.append(element("p", `${one.name}: quota is held by ${reserving}`));
  if (rows.length) box.append(table(`pending Workloads of ${one.name}`, ["position", "pending", "priority", "since"], rows));
  return box;
};
const worker = ([name, one]) => {
  const box = element("section", "", "worker"), halves = element("div", "", "halves"), queues = element("div");
  box.append(element("h2", `${one.scenario} ${one.title}`), element("p", `worker ${name} · ${one.dialect}`, "dim"));
  if (one.awaited) box.append(element("p", `waits (${one.awaited.within}): expected ${one.awaited.expected}; observed ${one.awaited.observed}`));
  one.queues.forEach((each) => queues.append(queue(each)));
  const objects = one.objects.map((each) => [each.kind, each.name, each.state]);
  const watches = one.watches.map((each) => [each.client, Object.entries(each.resources).map(([kind, times]) => (times > 1 ? `${kind} (${times})` : kind)).join(", ")]);
  const lines = one.timeline.map((each) => [each.at.toFixed(3), each.revision, each.actor, each.object, each.what]).reverse();
  halves.append(part("objects", table(`objects of ${name}`, ["kind", "name", "state"], objects)), part("queues", queues), part("watches begun", table(`watches of ${name}`, ["client", "resources"], watches)));
  box.append(halves, part("timeline, the newest first", table(`timeline of ${name}`, ["s", "revision", "actor", "object", "what"], lines)));
  return box;
};
const failure = (one) => {
  const box = element("div", "", "cause");
  box.append(element("h3", `${one.outcome} ${one.scenario} ${one.test}`, one.outcome), element("pre", one.lines.join("\n")));
  return box;
};
const show = (state) => {
  const done = Object.values(state.outcomes).reduce((sum, amount) => sum + amount, 0);
  const counts = Object.entries(state.outcomes).map(([name, amount]) => `${amount} ${name}`).join(" · ");
  const text = `${done} of ${state.total} cases${counts ? `  ${counts}` : ""}${state.over ? "  the run is over" : ""}`;
  document.getElementById("title").textContent = state.title || "Kueue conformance, live";
  document.getElementById("counts").textContent = text;
  const bar = document.getElementById("bar");
  bar.setAttribute("aria-label", text);
  bar.replaceChildren(...Object.entries(state.outcomes).map(([name, amount]) => {
    const span = element("span", "", name === "failed" ? "must" : name);
    span.style.width = `${(100 * amount) / Math.max(state.total, 1)}%`;
    return span;
  }));
  document.getElementById("failures").hidden = !state.failures.length;
  document.getElementById("failed").replaceChildren(...state.failures.map(failure));
  document.getElementById("workers").replaceChildren(...Object.entries(state.cases).map(worker));
  shown = `?version=${state.version}`;
  return state.over;
};
const ask = async () => {
  let over = false;
  try {
    over = show(await (await fetch(`state${shown}`)).json());
  } catch {
    over = true;
    document.getElementById("counts").textContent += "  the run has ended";
  }
  if (!over) setTimeout(ask, PAUSE);
};
ask();
