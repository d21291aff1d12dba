"use strict";
(() => {
  const live = document.getElementById("live");
  const help = document.getElementById("help");

  function show(state, text) {
    if (!live) return;
    live.className = "live " + state;
    live.textContent = text;
  }

  // Live updates: after a commit the page is read again, and its parts are replaced. Forms are in no
  // part, so that typed text stays.
  let isReading = false;
  let isOutdated = false;

  function rows(part) {
    const texts = new Map();
    for (const row of part.querySelectorAll("[data-row]")) texts.set(row.dataset.row, row.textContent);
    return texts;
  }

  function replace(part, next) {
    if (part.innerHTML === next.innerHTML) return false;
    const before = rows(part);
    const focused = part.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    const selected = part.querySelector(".selected")?.dataset.row;
    const scrolled = part.querySelector(".scroll")?.scrollLeft;
    part.replaceChildren(...next.childNodes);
    for (const row of part.querySelectorAll("[data-row]")) {
      if (before.size && before.get(row.dataset.row) !== row.textContent) row.classList.add("changed");
      if (row.dataset.row === selected) row.classList.add("selected");
    }
    if (scrolled) part.querySelector(".scroll").scrollLeft = scrolled;
    if (focused) {
      const link = [...part.querySelectorAll("a")].find((a) => a.getAttribute("href") === focused);
      if (link) link.focus({ preventScroll: true });
    }
    return true;
  }

  async function read() {
    if (isReading) {
      isOutdated = true;
      return;
    }
    isReading = true;
    try {
      const response = await fetch(location.href, { cache: "no-store" });
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      let isChanged = false;
      for (const part of document.querySelectorAll("[data-part]")) {
        const next = page.querySelector(`[data-part="${part.dataset.part}"]`);
        if (next && replace(part, next)) isChanged = true;
      }
      if (response.status === 404) show("off", "Deleted");
      else if (isChanged) show("on", "Updated " + new Date().toLocaleTimeString());
    } catch {
      show("off", "Not connected");
    } finally {
      isReading = false;
      if (isOutdated) {
        isOutdated = false;
        read();
      }
    }
  }

  // A browser has few connections to a server, so hidden pages have none.
  let events = null;
  let wasClosed = false;

  function connect() {
    if (events || document.hidden || !document.querySelector("[data-part]")) return;
    events = new EventSource("/events");
    events.addEventListener("commit", read);
    events.onopen = () => {
      show("on", "Live");
      if (wasClosed) read();
      wasClosed = false;
    };
    events.onerror = () => {
      wasClosed = true;
      show("off", "Not connected");
    };
  }

  function disconnect() {
    events?.close();
    events = null;
    wasClosed = true;
  }

  document.addEventListener("visibilitychange", () => (document.hidden ? disconnect() : connect()));
  window.addEventListener("pagehide", disconnect);
  window.addEventListener("pageshow", connect);
  connect();

  // Empty fields are no filters, so the address does not contain them.
  for (const form of document.querySelectorAll('form[method="get"]')) {
    form.addEventListener("submit", () => {
      const empty = [...form.elements].filter((field) => field.name && !field.value);
      for (const field of empty) field.disabled = true;
      setTimeout(() => empty.forEach((field) => (field.disabled = false)));
    });
  }

  // A text that is typed is not null, and null has no text.
  for (const field of document.querySelectorAll("form.edit .field")) {
    const box = field.querySelector('input[type="checkbox"]');
    const text = field.querySelector("input[type=text], textarea");
    if (!box || !text) continue;
    text.addEventListener("input", () => {
      if (text.value) box.checked = false;
    });
    box.addEventListener("change", () => {
      if (box.checked) text.value = "";
    });
  }

  // Keys.
  function select(step) {
    const list = [...document.querySelectorAll("main [data-row]")];
    if (!list.length) return;
    const old = list.findIndex((row) => row.classList.contains("selected"));
    const next = old < 0 ? (step > 0 ? 0 : list.length - 1) : Math.min(Math.max(old + step, 0), list.length - 1);
    list[old]?.classList.remove("selected");
    list[next].classList.add("selected");
    const link = list[next].querySelector("a");
    link?.focus({ preventScroll: true });
    list[next].scrollIntoView({ block: "nearest" });
  }

  function follow(selector) {
    document.querySelector(selector)?.click();
  }

  function focusField() {
    const field = document.querySelector("[data-focus]");
    if (!field) return;
    const filters = document.getElementById("filters");
    if (filters) filters.open = true;
    field.focus();
    field.select();
  }

  const keys = {
    "/": focusField,
    j: () => select(1),
    k: () => select(-1),
    n: () => follow('a[rel="next"]'),
    p: () => follow('a[rel="prev"]'),
    t: () => location.assign("/"),
    d: () => location.assign("/schema"),
    s: () => location.assign("/sql"),
    "?": () => help?.showModal(),
  };

  document.addEventListener("keydown", (event) => {
    const field = event.target.closest("input, textarea, select");
    if (field && event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      field.form?.requestSubmit();
      return;
    }
    if (field && event.key === "Escape") field.blur();
    if (field || event.ctrlKey || event.metaKey || event.altKey || help?.open) return;
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
  document.getElementById("help-button")?.addEventListener("click", () => help?.showModal());
})();
