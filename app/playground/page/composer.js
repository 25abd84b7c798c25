// The place to write: text, replies, edits, command suggestions and chips.
import { button, byId, el } from "./dom.js";

export class Composer {
  #commands = [];
  #target = null;
  #chosen = 0;

  constructor(handlers) {
    this.handlers = handlers;
    this.text = byId("text");
    byId("form").addEventListener("submit", (event) => { event.preventDefault(); this.#submit(); });
    this.text.addEventListener("keydown", (event) => this.#key(event));
    this.text.addEventListener("input", () => this.#typed());
    byId("context-cancel").addEventListener("click", () => this.release());
    for (const item of document.querySelectorAll("[data-more]")) {
      item.addEventListener("click", () => this.#more(item.dataset.more));
    }
  }

  showCommands(commands) { this.#commands = commands; this.#typed(); }

  showChips(chips) {
    const items = chips.map((chip) => {
      const item = button(chip, () => { item.remove(); this.handlers.send(chip, null); });
      return item;
    });
    byId("chips").replaceChildren(...items);
  }

  reply(message) { this.#hold({ kind: "reply", message }, `Reply to ${message.name}`); }

  edit(message) {
    this.#hold({ kind: "edit", message }, "Edit message");
    this.text.value = message.text;
    this.#grow();
  }

  release() {
    if (this.#target?.kind === "edit") this.text.value = "";
    this.#target = null;
    byId("context").hidden = true;
    this.#grow();
    this.text.focus();
  }

  #hold(target, title) {
    this.#target = target;
    byId("context").hidden = false;
    byId("context-title").textContent = title;
    byId("context-text").textContent = target.message.text;
    this.text.focus();
  }

  async #submit() {
    const text = this.text.value.trim();
    if (!text) return;
    const target = this.#target;
    if (await this.handlers.send(text, target)) this.#clear();
  }

  async #more(kind) {
    byId("more").open = false;
    const text = this.text.value.trim();
    if (kind === "forward" && !text) { this.text.focus(); return; }
    if (await this.handlers.more(kind, text) && kind !== "sticker") this.#clear();
  }

  #clear() {
    this.text.value = "";
    this.release();
    this.#typed();
  }

  #key(event) {
    const options = this.#options();
    if (!byId("suggestions").hidden && options.length) {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step) {
        event.preventDefault();
        this.#chosen = (this.#chosen + step + options.length) % options.length;
        return this.#suggest(options);
      }
      if (event.key === "Tab" || (event.key === "Enter" && this.text.value.slice(1) !== options[this.#chosen].command)) {
        event.preventDefault();
        return this.#pick(options[this.#chosen]);
      }
    }
    if (event.key === "Escape") { byId("suggestions").hidden = true; if (this.#target) this.release(); }
    else if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); this.#submit(); }
    else if (event.key === "ArrowUp" && !this.text.value) { event.preventDefault(); this.handlers.editLast(); }
  }

  #typed() {
    this.#grow();
    this.#chosen = 0;
    this.#suggest(this.#options());
  }

  #options() {
    const typed = /^\/(\w*)$/.exec(this.text.value);
    return typed ? this.#commands.filter(({ command }) => command.startsWith(typed[1])) : [];
  }

  #suggest(options) {
    const list = byId("suggestions");
    list.hidden = !options.length;
    list.replaceChildren(...options.map((option, index) => {
      const item = el("li", { role: "option", "aria-selected": String(index === this.#chosen) },
        el("strong", {}, `/${option.command}`), el("span", {}, option.description));
      item.addEventListener("mousedown", (event) => { event.preventDefault(); this.#pick(option); });
      return item;
    }));
  }

  #pick(option) {
    this.text.value = "";
    this.#typed();
    this.handlers.send(`/${option.command}`, null);
  }

  #grow() {
    this.text.style.height = "auto";
    this.text.style.height = `${this.text.scrollHeight + 2}px`;
  }
}
