"use strict";
(() => {
  const $ = (id) => document.getElementById(id);

  // el makes an element. Text only ever becomes a text node.
  function el(name, props, ...children) {
    const e = document.createElement(name);
    for (const [k, v] of Object.entries(props || {})) {
      if (v === undefined || v === null || v === false) continue;
      e.setAttribute(k, v === true ? "" : v);
    }
    e.append(...children.filter((c) => c !== undefined && c !== null && c !== ""));
    return e;
  }
  const count = (n, one) => n.toLocaleString("en-US") + " " + one + (n === 1 ? "" : "s");

  // Theme: as the system has it, until the reader chooses.
  const theme = $("theme");
  theme.hidden = false;
  function setTheme(t) {
    if (t) document.documentElement.dataset.theme = t;
    else delete document.documentElement.dataset.theme;
    theme.textContent = "Theme: " + (t || "system");
    try { t ? localStorage.setItem("phpwire-theme", t) : localStorage.removeItem("phpwire-theme"); } catch { /* a file may have no storage */ }
  }
  let stored = "";
  try { stored = localStorage.getItem("phpwire-theme") || ""; } catch { /* likewise */ }
  setTheme(["light", "dark"].includes(stored) ? stored : "");
  theme.addEventListener("click", () => {
    const order = ["", "light", "dark"];
    setTheme(order[(order.indexOf(document.documentElement.dataset.theme || "") + 1) % 3]);
  });

  // Copying: the clipboard where the page may use it, else a selection.
  async function copy(button, text) {
    let done = false;
    try { await navigator.clipboard.writeText(text); done = true; } catch {
      const area = el("textarea", { "aria-hidden": "true", class: "sr" });
      area.value = text;
      document.body.append(area);
      area.select();
      done = document.execCommand("copy");
      area.remove();
      button.focus();
    }
    const was = button.dataset.label ||= button.textContent;
    button.textContent = done ? "Copied" : "Select and copy";
    setTimeout(() => { button.textContent = was; }, 1500);
  }
  document.addEventListener("click", (e) => {
    const button = e.target.closest("button.copy");
    if (button) copy(button, button.dataset.text ?? button.previousElementSibling.textContent);
  });

  // The matrix: areas fold.
  for (const button of document.querySelectorAll(".fold")) {
    const body = button.closest("tbody");
    const show = () => button.setAttribute("aria-expanded", String(!body.classList.contains("folded")));
    show();
    button.addEventListener("click", () => { body.classList.toggle("folded"); show(); });
  }

  const decode = (b64) => Uint8Array.from(atob(b64), (c) => c.charCodeAt(0));
  const named = { 10: "\\n", 13: "\\r", 9: "\\t", 92: "\\\\" };
  const escaped = (c) => named[c] ?? (c < 32 || c > 126 ? "\\x" + c.toString(16).padStart(2, "0") : null);

  // append writes bytes as text, with escapes for what is not printable.
  function append(to, bytes) {
    let run = "";
    for (const c of bytes) {
      const esc = escaped(c);
      if (esc === null) { run += String.fromCharCode(c); continue; }
      if (run) to.append(run);
      run = "";
      to.append(el("span", { class: "esc" }, esc));
    }
    if (run) to.append(run);
  }

  // paint draws a payload: its tokens coloured, one byte marked.
  function paint(p) {
    const bytes = decode(p.b), end = p.f + bytes.length, code = el("code", { class: "bytes" });
    if (p.f > 0) code.append(el("span", { class: "dim" }, "… "));
    const piece = (from, to, kind) => {
      if (from >= to) return;
      if (p.m >= from && p.m < to) {
        piece(from, p.m, kind);
        const m = el("mark", kind ? { class: "k-" + kind } : {});
        append(m, bytes.subarray(p.m - p.f, p.m - p.f + 1));
        code.append(m);
        piece(p.m + 1, to, kind);
        return;
      }
      const s = kind ? el("span", { class: "k-" + kind, title: kind }) : code;
      append(s, bytes.subarray(from - p.f, to - p.f));
      if (kind) code.append(s);
    };
    let at = p.f;
    for (const [from, to, kind] of p.t || []) {
      piece(at, from, "");
      piece(from, to, /^[a-z]+$/.test(kind) ? kind : "");
      at = to;
    }
    piece(at, end, "");
    if (p.m >= 0 && p.m === p.n) code.append(el("mark", {}, el("span", { class: "esc" }, "end")));
    if (end < p.n) code.append(el("span", { class: "dim" }, " …"));
    return code;
  }

  // Examples of facts stand there as text; here they get their colours.
  const index = JSON.parse($("index").textContent);
  document.querySelectorAll("#facts td > code").forEach((code, i) => code.replaceWith(paint(index.facts[i])));

  const list = $("list");
  if (!list) return;
  const suites = index.suites || [], columns = index.columns || [], kinds = index.kinds || [];
  const rows = index.rows.map(([id, suite, column, outcome, kind, invariant, clause, title, cas, size, preview], i) =>
    ({ i, id, suite: suites[suite], column: columns[column], outcome, kind: kinds[kind], invariant, clause, title, case: cas, size, preview }));
  for (const r of rows) {
    r.text = [r.id, r.suite, r.column, r.outcome, r.kind, r.invariant, r.clause, r.title, r.case, r.preview].join("\n").toLowerCase();
  }
  const byID = new Map(rows.map((r) => [r.id, r]));

  // The failures themselves are parsed a part at a time.
  const parts = document.querySelectorAll("script.part"), parsed = new Map();
  function failure(i) {
    const p = Math.floor(i / index.partSize);
    if (!parsed.has(p)) parsed.set(p, JSON.parse(parts[p].textContent));
    return parsed.get(p)[i % index.partSize];
  }

  // Filters.
  const form = $("filter"), query = $("q");
  const filters = { suite: $("by-suite"), column: $("by-column"), outcome: $("by-outcome"), kind: $("by-kind"), invariant: $("by-invariant") };
  for (const [field, select] of Object.entries(filters)) {
    let values = [...new Set(rows.map((r) => r[field]).filter(Boolean))];
    const single = values.length < 2;
    if (field === "suite") {
      const areas = [...new Set(values.map((v) => v.split("/")[0] + "/"))];
      values = areas.flatMap((a) => [a, ...values.filter((v) => v.split("/")[0] + "/" === a)]);
    }
    select.append(el("option", { value: "" }, "all"), ...values.map((v) => el("option", { value: v }, v.endsWith("/") && field === "suite" ? v + " …" : v)));
    select.closest("label").hidden = single;
  }
  form.hidden = false;
  form.addEventListener("submit", (e) => e.preventDefault());

  const step = 50;
  let found = rows, shown = 0;
  function matches(r) {
    for (const [field, select] of Object.entries(filters)) {
      const want = select.value;
      if (!want) continue;
      if (field === "suite" && want.endsWith("/") ? !(r.suite + "/").startsWith(want) : r[field] !== want) return false;
    }
    return words.every((w) => r.text.includes(w));
  }
  let words = [];
  function apply() {
    words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
    found = rows.filter(matches);
    shown = 0;
    list.replaceChildren();
    more();
  }
  function more() {
    const next = found.slice(shown, shown + step);
    list.append(...next.map(item));
    shown += next.length;
    const all = found.length === rows.length ? "" : " that match, of " + rows.length.toLocaleString("en-US") + " listed";
    let text = found.length === 0 ? "No listed failure matches." : shown < found.length ?
      "The first " + shown.toLocaleString("en-US") + " of " + count(found.length, "failure") + all + "." : count(found.length, "failure") + all + ".";
    if (index.bad > rows.length) {
      text += " " + count(index.bad, "case") + " failed in all" + (index.perCell ? "; at most " + index.perCell + " are listed for a suite and column, the shortest first." : ".");
    }
    $("shown").textContent = text;
    $("more").hidden = shown >= found.length;
  }
  let timer;
  query.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(apply, 120); });
  form.addEventListener("change", (e) => { if (e.target !== query) apply(); });
  $("clear").addEventListener("click", () => { form.reset(); apply(); });
  $("more").addEventListener("click", () => {
    const at = shown;
    more();
    list.children[at]?.querySelector("summary").focus();
  });

  // choose sets a filter, also to what no listed failure has.
  function choose(select, value) {
    if (![...select.options].some((o) => o.value === value)) select.append(el("option", { value }, value));
    select.value = value;
  }

  // The matrix leads to the failures of a cell.
  document.querySelector(".matrix")?.addEventListener("click", (e) => {
    const a = e.target.closest("a[data-column]");
    if (!a) return;
    form.reset();
    choose(filters.suite, a.dataset.suite);
    choose(filters.column, a.dataset.column);
    apply();
  });

  function item(r) {
    const body = el("div", { class: "body" });
    const details = el("details", {},
      el("summary", {},
        el("span", { class: "g-tag" }, el("span", { class: "tag " + r.outcome }, r.outcome)),
        el("h3", {}, r.title || r.kind),
        el("span", { class: "g-suite where dim" }, r.suite),
        el("span", { class: "g-inv dim" }, r.invariant || ""),
        el("code", { class: "preview" }, r.preview),
        el("small", { class: "g-column where" }, r.column + " · " + count(r.size, "byte"))),
      body);
    details.addEventListener("toggle", () => { if (details.open) draw(r.i, body); });
    return el("li", { id: "f-" + r.id }, details);
  }

  function draw(i, body) {
    if (body.firstChild) return;
    const f = failure(i);
    const fact = (name, value) => value ? el("div", {}, el("dt", {}, name), el("dd", {}, value)) : null;
    const shrunk = f.shrunk_from ? count(f.shrunk_from, "byte") + " to " + count(f.input.n, "byte") : "";
    body.append(el("dl", {}, fact("Kind", f.kind), fact("Suite", f.suite), fact("Column", f.column), fact("Invariant", f.invariant), fact("Clause", f.clause),
      fact("Case", f.case), fact("Shrunk from", shrunk), el("div", {}, el("dt", {}, "Id"), el("dd", {}, el("a", { href: "#f-" + f.id }, f.id)))));

    if (f.input.n || !f.value) {
      body.append(el("h4", {}, "Input, " + count(f.input.n, "byte")), el("div", { class: "payload", tabindex: "0", role: "group", "aria-label": "Input" }, paint(f.input)), notes(f.input));
    }
    if (f.value) body.append(el("h4", {}, "Value to encode"), tree([{ names: ["value"], value: f.value }]));
    if (f.differences?.length) body.append(el("h4", {}, "What differs"), el("ul", {}, ...f.differences.map((d) => el("li", {}, d))));
    if (f.sides.length) body.append(el("h4", {}, "Who did what"), sides(f.sides));
    body.append(...values(f.sides));
    for (const [name, text] of [["Replay", f.replay], ["In the port's own language", f.call], ["File it in the corpus", f.file]]) {
      if (text) body.append(el("h4", {}, name), command(text));
    }
  }

  function command(text) {
    const button = el("button", { type: "button", class: "copy" }, "Copy");
    return el("div", { class: "command" }, el("pre", {}, text), button);
  }

  // notes says in words what a payload shows by colour and mark.
  function notes(p) {
    const line = el("p", { class: "note" });
    if (p.m >= 0) line.append("▲ the difference is at offset " + p.m.toLocaleString("en-US") + (p.m >= p.n ? ", the end" : "") + ". ");
    const seen = [...new Set((p.t || []).map((t) => t[2]))];
    if (seen.length) line.append(...seen.flatMap((k) => [el("span", { class: "k-" + k }, k), " "]));
    const length = atob(p.b).length;
    if (length < p.n) line.append("Shown are the bytes from " + p.f.toLocaleString("en-US") + " to " + (p.f + length).toLocaleString("en-US") + "; report.json has all. ");
    else line.append(el("button", { type: "button", class: "copy", "data-text": p.b }, "Copy as base64"));
    return line;
  }

  function sides(all) {
    const body = el("tbody", { role: "rowgroup" }), first = all.find((s) => s.bytes);
    for (const s of all) {
      const says = el("td", { role: "cell", class: "says" }, s.message || "");
      for (const w of s.warnings || []) says.append(el("div", { class: "warned" }, "warning: " + w));
      const wrote = el("td", { role: "cell" });
      if (s.bytes) {
        wrote.dataset.name = "wrote";
        if (s.bytes.n === 0) wrote.append(el("span", { class: "dim" }, "no bytes"));
        else wrote.append(paint(s.bytes));
        if (s.bytes.m >= 0) wrote.append(el("div", { class: "note" }, "▲ differs from " + first.name + " at offset " + s.bytes.m.toLocaleString("en-US")));
      }
      const at = el("td", { role: "cell", class: "num" }, s.offset === undefined ? "" : String(s.offset));
      if (s.offset !== undefined) at.dataset.name = "at offset";
      body.append(el("tr", { role: "row" }, el("th", { role: "rowheader", scope: "row" }, s.name),
        el("td", { role: "cell", class: "v-" + s.verdict }, s.verdict), at, says, wrote));
    }
    const head = el("tr", { role: "row" }, ...["Side", "Verdict", "At offset", "Says", "Wrote"].map((h) => el("th", { role: "columnheader", scope: "col" }, h)));
    return el("table", { class: "sides", role: "table" }, el("thead", { role: "rowgroup" }, head), body);
  }

  // values shows the value trees, sides that saw the same in one column.
  function values(all) {
    const groups = [];
    for (const s of all) {
      if (s.value === undefined) continue;
      const key = JSON.stringify(s.value), same = groups.find((g) => g.key === key);
      if (same) same.names.push(s.name);
      else groups.push({ key, names: [s.name], value: s.value });
    }
    const out = [];
    if (groups.length) {
      out.push(el("h4", {}, groups.length > 1 ? "Values, side by side" : "Value"), tree(groups));
    }
    const long = all.filter((s) => s.tooLong).map((s) => s.name);
    if (long.length) out.push(el("p", { class: "note" }, "Too long to show, in report.json: the value of " + long.join(", ") + "."));
    return out;
  }

  const text = (b64) => {
    let s = "";
    for (const c of decode(b64)) s += escaped(c) ?? String.fromCharCode(c);
    return s;
  };
  const quoted = (b64) => '"' + text(b64) + '"';

  // node is a value's line of the tree, and its children as [key, value].
  function node(v) {
    const pair = ([k, x]) => [k.int !== undefined ? k.int : quoted(k.b64), x];
    const leaf = (k, t, x) => [k, { t, raw: x }];
    switch (v?.t) {
      case "null": return { type: "", label: "null" };
      case "bool": return { type: "bool", label: String(v.v) };
      case "int": return { type: "int", label: v.v };
      case "float": return { type: "float", label: (v.v ?? "") + (v.bits ? " #" + v.bits : "") };
      case "string": return { type: "string", label: quoted(v.b64), tail: count(atob(v.b64).length, "byte") };
      case "list": return { type: "list", label: "", tail: count(v.v.length, "element"), kids: v.v.map((x, i) => [String(i), x]) };
      case "array": return { type: "array", label: "", tail: count(v.v.length, "entry").replace("entrys", "entries"), kids: v.v.map(pair) };
      case "rhandle": return { type: "rhandle", label: v.rhandle, kids: [leaf("class", "", quoted(v.class)), leaf("epoch", "", v.epoch),
        ...(v.snapshot ? [["snapshot", { t: "array", v: v.snapshot }]] : [])] };
      case "phandle": return { type: "phandle", label: v.phandle, kids: [leaf("class", "", quoted(v.class)), ...(v.implements || []).map((c, i) => leaf("implements " + i, "", quoted(c)))] };
      case "pclass": return { type: "pclass", label: quoted(v.class) };
      case "": return { type: "", label: String(v.raw) };
      default: return { type: String(v?.t ?? ""), label: JSON.stringify(v) };
    }
  }

  // align pairs the children of several nodes: by place when all have the
  // same number of them, else by key.
  function align(nodes) {
    const kids = nodes.map((n) => n?.kids || []);
    const sizes = new Set(kids.map((k) => k.length));
    if (sizes.size === 1) return kids[0].map((_, i) => kids.map((k) => k[i]));
    const keys = new Map();
    for (const [g, ks] of kids.entries()) {
      for (const k of ks) {
        if (!keys.has(k[0])) keys.set(k[0], new Array(kids.length).fill(undefined));
        keys.get(k[0])[g] = k;
      }
    }
    return [...keys.values()];
  }

  const treeLimit = 3000;
  function tree(groups) {
    const lines = [];
    (function walk(entries, depth) {
      if (lines.length >= treeLimit) return;
      const nodes = entries.map((e) => e && node(e[1]));
      const differ = (part) => new Set(nodes.map((n, i) => (n ? part(n, entries[i]) : undefined))).size > 1;
      const key = differ((n, e) => e[0]), value = differ((n) => n.type + "\n" + n.label + "\n" + (n.tail || ""));
      lines.push({ depth, entries, nodes, key, value });
      for (const kids of align(nodes)) walk(kids, depth + 1);
    })(groups.map((g) => ["", g.value]), 0);

    const cell = (l, g) => {
      const n = l.nodes[g], td = el("td", {});
      td.style.paddingLeft = 8 + 14 * Math.min(l.depth, 24) + "px";
      if (!n) { td.append(el("span", { class: "d" }, "nothing here")); return td; }
      const key = l.entries[g][0];
      if (key !== "") td.append(el("span", { class: l.key ? "d" : "" }, key), el("span", { class: "ty" }, " ⇒ "));
      td.append(el("span", { class: l.value ? "d" : "" }, [n.type === "string" ? "" : n.type, n.label].filter(Boolean).join(" ")));
      if (n.tail) td.append(el("span", { class: "ty" }, " " + n.tail));
      return td;
    };
    const draw = (l) => {
      const differs = l.key || l.value;
      const mark = el("td", { class: "ne" });
      if (differs) mark.append(el("span", { "aria-hidden": "true" }, "≠"), el("span", { class: "sr" }, "differs"));
      return el("tr", { class: differs ? "differs" : "" }, ...(groups.length > 1 ? [mark] : []), ...groups.map((_, g) => cell(l, g)));
    };

    // Long stretches in which all agree fold into one line.
    const near = 3, body = el("tbody", {}), width = groups.length + (groups.length > 1 ? 1 : 0);
    const keep = lines.map(() => groups.length === 1 && lines.length < 200);
    lines.forEach((l, i) => { if (l.key || l.value || i === 0) for (let j = Math.max(0, i - near); j <= i + near && j < keep.length; j++) keep[j] = true; });
    for (let i = 0; i < lines.length;) {
      let j = i;
      while (j < lines.length && !keep[j]) j++;
      if (j - i <= 4) {
        const to = Math.max(j, i + 1);
        for (; i < to; i++) body.append(draw(lines[i]));
        continue;
      }
      const hidden = lines.slice(i, j), button = el("button", { type: "button" }, "Show " + count(hidden.length, "line") + (groups.length > 1 ? " in which all agree" : ""));
      const row = el("tr", { class: "equal" }, el("td", { colspan: String(width) }, button));
      button.addEventListener("click", () => row.replaceWith(...hidden.map(draw)));
      body.append(row);
      i = j;
    }
    const head = el("tr", {}, ...(groups.length > 1 ? [el("th", { class: "ne", scope: "col" }, el("span", { class: "sr" }, "Differs"))] : []),
      ...groups.map((g) => el("th", { scope: "col" }, g.names.join(", "))));
    const box = el("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Values" }, el("table", { class: "tree" }, el("thead", {}, head), body));
    if (lines.length >= treeLimit) box.append(el("p", { class: "note" }, "The first " + treeLimit.toLocaleString("en-US") + " lines; report.json has all."));
    return box;
  }

  // A link to a failure opens it, whatever the filters hide.
  function follow() {
    if (!location.hash.startsWith("#f-")) return;
    const r = byID.get(decodeURIComponent(location.hash.slice(3)));
    if (!r) return;
    if (!found.includes(r)) { form.reset(); apply(); }
    const at = found.indexOf(r);
    while (shown <= at) more();
    const li = $("f-" + r.id);
    li.querySelector("details").open = true;
    draw(r.i, li.querySelector(".body"));
    li.scrollIntoView();
    li.querySelector("summary").focus({ preventScroll: true });
  }
  window.addEventListener("hashchange", follow);
  document.addEventListener("click", (e) => {
    const a = e.target.closest('a[href^="#f-"]');
    if (a && a.hash === location.hash) follow();
  });

  // On paper, what is listed is told in full.
  let opened = [];
  window.addEventListener("beforeprint", () => {
    opened = [...list.querySelectorAll("details:not([open])")];
    for (const d of opened) {
      draw(byID.get(d.parentElement.id.slice(2)).i, d.querySelector(".body"));
      d.open = true;
    }
  });
  window.addEventListener("afterprint", () => { for (const d of opened) d.open = false; });

  apply();
  follow();
})();
