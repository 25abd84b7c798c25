// Text with Telegram's entities as nodes. Offsets are UTF-16 units, which is how JavaScript counts.
import { el } from "./dom.js";

const TAGS = {
  bold: "strong", italic: "em", underline: "u", strikethrough: "s", code: "code",
  blockquote: "blockquote", expandable_blockquote: "blockquote",
};

export function rich(text, entities, onCommand) {
  const sorted = [...entities].sort((a, b) => a.offset - b.offset || b.length - a.length);
  return el("div", { className: "words", dir: "auto" }, ...part(text, 0, text.length, sorted, onCommand));
}

function part(text, start, end, entities, onCommand) {
  const nodes = [];
  let position = start;
  let rest = entities;
  while (rest.length) {
    const [first, ...others] = rest;
    const from = Math.max(first.offset, position);
    const to = Math.min(first.offset + first.length, end);
    const inside = others.filter((other) => other.offset < to);
    rest = others.filter((other) => other.offset + other.length > to);
    if (to <= from) continue;
    if (from > position) nodes.push(text.slice(position, from));
    nodes.push(marked(first, text.slice(from, to), part(text, from, to, inside, onCommand), onCommand));
    position = to;
  }
  if (position < end) nodes.push(text.slice(position, end));
  return nodes;
}

function marked(entity, words, children, onCommand) {
  if (TAGS[entity.type]) return el(TAGS[entity.type], {}, ...children);
  switch (entity.type) {
    case "pre":
      return el("pre", { tabIndex: 0 }, el("code", {}, ...children));
    case "spoiler": {
      const spoiler = el("span", { className: "spoiler", tabIndex: 0, role: "button", "aria-label": "Hidden text" }, ...children);
      const open = () => { spoiler.classList.add("open"); spoiler.removeAttribute("aria-label"); };
      spoiler.addEventListener("click", open);
      spoiler.addEventListener("keydown", (event) => { if (event.key === "Enter") open(); });
      return spoiler;
    }
    case "bot_command":
      return el("button", { type: "button", className: "linklike", onclick: () => onCommand(words) }, words);
    case "url":
    case "text_link":
      return link(entity.url || words, children);
    default:
      return el("span", {}, ...children);
  }
}

function link(address, children) {
  if (!/^https?:\/\//i.test(address)) return el("span", {}, ...children);
  return el("a", { href: address, target: "_blank", rel: "noopener noreferrer" }, ...children);
}
