// One message as a list item.
import { button, el } from "./dom.js";
import { rich } from "./entities.js";

const SERVICE = {
  migrate_to_chat_id: "The group became a supergroup", migrate_from_chat_id: "The group became a supergroup",
  forum_topic_created: "A topic was made",
};

export function messageItem(message, view) {
  if (message.service) return line("service", SERVICE[message.service] || "The chat changed");
  if (message.text === "/start" && !message.bot && view.isFirst) return line("service", "The conversation begins");
  const mine = message.from === view.speaker;
  const bubble = el("div", { className: "bubble" },
    view.group && !mine ? el("div", { className: "sender" }, message.name) : null,
    message.forwarded ? el("div", { className: "forwarded" }, `Forwarded from ${message.forwarded}`) : null,
    message.reply ? quote(message.reply) : null,
    media(message),
    message.text ? rich(message.text, message.entities, view.onCommand) : null,
    message.buttons.length ? keyboard(message, view) : null,
    message.reactions.length ? reactions(message, view) : null,
    stamp(message),
  );
  const item = el("li", { className: mine ? "line mine" : "line", id: `message-${message.id}` }, bubble, tools(message, mine, view));
  item.dataset.from = message.bot ? "bot" : "person";
  bubble.addEventListener("click", (event) => {
    if (!event.target.closest("button, a, .spoiler")) item.classList.toggle("open");
  });
  return item;
}

const line = (className, text) => el("li", { className }, text);

function quote(reply) {
  return el("div", { className: "quote" }, el("strong", {}, reply.name), el("span", {}, reply.text || "…"));
}

function media(message) {
  if (message.media === "sticker") return el("div", { className: "sticker" }, message.emoji);
  if (message.media === "photo") return el("div", { className: "media" }, "Picture");
  if (message.media === "document") {
    return el("a", { className: "media", href: message.url, download: message.file }, message.file || "File");
  }
  return null;
}

function stamp(message) {
  const time = new Date(message.date * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  return el("time", { className: "stamp" }, message.edited ? `edited ${time}` : time);
}

function keyboard(message, view) {
  const rows = message.buttons.map((row) => el("div", {}, ...row.map((item) =>
    item.callback_data
      ? button(item.text, () => view.onPress(message, item.callback_data))
      : el("a", { href: item.url, target: "_blank", rel: "noopener noreferrer" }, item.text))));
  return el("div", { className: "keyboard" }, ...rows);
}

function reactions(message, view) {
  const counts = new Map();
  for (const { emoji, from } of message.reactions) {
    const entry = counts.get(emoji) || { count: 0, own: false };
    counts.set(emoji, { count: entry.count + 1, own: entry.own || from === view.speaker });
  }
  const items = [...counts].map(([emoji, { count, own }]) => {
    const label = count > 1 ? `${emoji} ${count}` : emoji;
    const item = button(label, () => view.onReact(message, own ? null : emoji));
    item.setAttribute("aria-pressed", String(own));
    return item;
  });
  return el("div", { className: "reactions" }, ...items);
}

function tools(message, mine, view) {
  return el("div", { className: "tools" },
    button("React", () => view.onPickReaction(message)),
    button("Reply", () => view.onReply(message)),
    mine && message.text && !message.media ? button("Edit", () => view.onEdit(message)) : null,
  );
}
