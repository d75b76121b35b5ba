// Search, copy buttons and links into folded parts; without it the page is whole and its filters work.
(() => {
  const search = document.getElementById("search"), found = document.getElementById("found");
  const entries = [...document.querySelectorAll(".of, .cause")];
  const texts = new Map(entries.map((one) => [one, one.textContent.toLowerCase()]));
  const look = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const one of entries) {
      one.hidden = !words.every((word) => texts.get(one).includes(word));
      if (!one.hidden && one.matches(".of")) shown += 1;
    }
    found.textContent = words.length ? `${shown} ${shown === 1 ? "scenario" : "scenarios"} found` : "";
  };
  search.closest("label").hidden = false;
  search.addEventListener("input", look);

  const copied = async (text) => {
    if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text);
    const field = document.body.appendChild(Object.assign(document.createElement("textarea"), { value: text }));
    field.select();
    document.execCommand("copy");
    field.remove();
  };
  for (const command of document.querySelectorAll(".command")) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "copy", textContent: "copy" });
    button.setAttribute("aria-label", "copy the command");
    button.addEventListener("click", async () => {
      await copied(command.textContent);
      button.textContent = "copied";
    });
    command.after(" ", button);
  }

  const open = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let one = target; one; one = one.parentElement) {
      if (one.tagName === "DETAILS") one.open = true;
    }
    if (target && !target.closest("[hidden]")) target.scrollIntoView();
  };
  window.addEventListener("hashchange", open);
  if (location.hash) open();
})();
