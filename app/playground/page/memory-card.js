// The card beside the chat: what the bot remembers of the open chat's person, and what just happened.
import { button, byId, el } from "./dom.js";

const LIT_MS = 2500;
const MARKS = { old: "del", new: "ins", same: "span" };

export class MemoryCard {
  #cards = new Map();
  #seen = new Map();
  #person = null;
  #unread = false;
  #onPress;

  constructor(onPress) {
    this.#onPress = onPress;
    byId("show-memory").addEventListener("click", () => this.#toggle(true));
    byId("hide-memory").addEventListener("click", () => this.#toggle(false));
    document.addEventListener("keydown", (event) => { if (event.key === "Escape") this.#toggle(false); });
  }

  reset(cards) {
    this.#cards = new Map(Object.entries(cards || {}).map(([person, card]) => [Number(person), card]));
    for (const [person, card] of this.#cards) this.#seen.set(person, keys(card));
    byId("memory").hidden = byId("show-memory").hidden = !cards;
    byId("app").classList.toggle("with-memory", Boolean(cards));
  }

  update(person, card) {
    const known = this.#seen.get(person);
    const now = keys(card);
    const fresh = new Set([...now].filter((key) => known && !known.has(key)));
    this.#cards.set(person, card);
    this.#seen.set(person, now);
    if (person === this.#person) this.#draw(fresh);
  }

  show(person) {
    if (person !== this.#person) this.#mark(false);
    this.#person = person;
    this.#draw(new Set());
  }

  #draw(fresh) {
    const card = this.#cards.get(this.#person);
    const place = byId("memory-body");
    if (this.#person === null) return place.replaceChildren(el("p", { className: "muted" }, "Groups have no memory yet."));
    if (!card) return place.replaceChildren(el("p", { className: "muted" }, "Looking…"));
    const known = card.groups.map((group) => groupSection(group, fresh));
    const nothing = el("p", { className: "muted memory-empty" }, card.empty);
    place.replaceChildren(...(known.length ? known : [nothing]), ...this.#justNow(card, fresh));
    if (fresh.size) this.#light();
  }

  #justNow(card, fresh) {
    if (!card.recent.length) return [];
    const items = card.recent.map((row) => el("li", { className: lit(`event ${row.changed ? "" : "unchanged"}`, fresh, row.id) },
      el("div", { className: "event-head" }, el("strong", {}, row.what), el("time", { className: "muted" }, row.at)),
      row.parts.length ? text(row.parts) : null,
      row.quote ? el("blockquote", {}, `“${row.quote}”`) : null,
      row.undo ? this.#undo(row) : null,
    ));
    return [el("section", { className: "just-now" }, el("h3", {}, "Just now"), el("ul", {}, ...items))];
  }

  #undo(row) {
    const item = button("Undo", async () => {
      item.disabled = true;
      if (!await this.#onPress(this.#person, row.undo)) item.disabled = false;
    }, "quiet");
    return item;
  }

  #light() {
    const aside = byId("memory");
    aside.classList.remove("lit");
    void aside.offsetWidth;
    aside.classList.add("lit");
    setTimeout(() => aside.classList.remove("lit"), LIT_MS);
    if (!byId("app").classList.contains("remembering")) this.#mark(true);
  }

  #toggle(open) {
    byId("app").classList.toggle("remembering", open);
    byId("show-memory").setAttribute("aria-expanded", String(open));
    if (open) { this.#mark(false); byId("hide-memory").focus(); }
  }

  #mark(unread) {
    this.#unread = unread;
    byId("show-memory").classList.toggle("fresh", this.#unread);
  }
}

const keys = (card) => new Set([
  ...card.groups.flatMap(({ items }) => items.map(({ id }) => id)),
  ...card.recent.map(({ id }) => id),
]);

const lit = (className, fresh, id) => (fresh.has(id) ? `${className} lit` : className);

function groupSection(group, fresh) {
  const items = group.items.map((item) => el("li", { className: lit("memory-item", fresh, item.id) },
    item.pinned ? el("span", { "aria-label": "pinned" }, "📌 ") : null,
    text(item.parts),
    item.note ? el("small", { className: "muted" }, item.note) : null,
  ));
  return el("section", {}, el("h3", {}, group.title), el("ul", {}, ...items));
}

function text(parts) {
  const nodes = parts.flatMap((part, index) => [index ? " " : "", el(MARKS[part.mark] || "span", {}, part.text)]);
  return el("div", { className: "memory-text" }, ...nodes);
}
