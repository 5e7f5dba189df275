// Searches in search.json, which is loaded when the field is first used.
(() => {
  const field = document.getElementById("search");
  const list = document.getElementById("results");
  const source = document.querySelector("link[rel=search-index]").href;
  let pages;

  const load = () => pages ??= fetch(source).then(r => r.json()).then(rows => rows.map(p => ({
    ...p, lowTitle: p.title.toLowerCase(), lowText: p.text.toLowerCase(),
  })));

  // score is 0 if a word is missing. Words in titles count most, and at their start.
  const score = (page, words) => {
    let sum = 0;
    for (const word of words) {
      const inTitle = page.lowTitle.indexOf(word), inText = page.lowText.indexOf(word);
      if (inTitle < 0 && inText < 0) return 0;
      if (inTitle >= 0) sum += inTitle === 0 ? 60 : 40;
      if (inText >= 0) sum += 5 + Math.min(page.lowText.split(word).length, 10);
    }
    return sum;
  };

  const excerpt = (page, words) => {
    const at = Math.min(...words.map(w => page.lowText.indexOf(w)).filter(i => i >= 0), page.text.length);
    const from = Math.max(0, page.text.lastIndexOf(" ", Math.max(0, at - 40)));
    return (from > 0 ? "…" : "") + page.text.slice(from, from + 150).trim() + "…";
  };

  const element = (tag, text, className) => {
    const e = document.createElement(tag);
    e.textContent = text;
    if (className) e.className = className;
    return e;
  };

  const show = async () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const all = await load();
    list.replaceChildren();
    list.hidden = words.length === 0;
    if (list.hidden) return;
    const found = all.map(page => ({page, points: score(page, words)}))
      .filter(f => f.points > 0).sort((a, b) => b.points - a.points).slice(0, 12);
    for (const {page} of found) {
      const link = document.createElement("a");
      link.href = new URL(page.url, new URL(".", source));
      link.append(element("span", page.kind, "kind"), element("b", page.title), element("small", excerpt(page, words)));
      list.append(link);
    }
    if (found.length === 0) list.append(element("p", "No page has all of these words."));
  };

  field.addEventListener("focus", load);
  field.addEventListener("input", show);
  field.form.addEventListener("submit", event => {
    event.preventDefault();
    list.querySelector("a")?.click();
  });
  document.addEventListener("keydown", event => {
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName);
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      field.focus();
    } else if (event.key === "Escape") {
      list.hidden = true;
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && !list.hidden) {
      const links = [field, ...list.querySelectorAll("a")];
      const next = links.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1);
      if (links[next]) { event.preventDefault(); links[next].focus(); }
    }
  });
  document.addEventListener("click", event => {
    if (!event.target.closest(".search")) list.hidden = true;
  });
})();
