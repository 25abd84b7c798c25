// The list of chats at the side.
import { byId, el } from "./dom.js";

export function showChatList(chats, current, unread, onOpen) {
  byId("chat-list").replaceChildren(...chats.map((chat) => {
    const last = chat.messages[chat.messages.length - 1];
    const count = unread.get(chat.id) || 0;
    const group = chat.type !== "private";
    const item = el("button", { type: "button", className: "chat-item", onclick: () => onOpen(chat.id) },
      el("span", { className: `avatar hue-${Math.abs(chat.id) % 6}${group ? " group" : ""}`, "aria-hidden": "true" }, initial(chat.title)),
      el("strong", {}, chat.title),
      count ? el("span", { className: "unread", "aria-label": `${count} unread` }, String(count)) : null,
      el("small", {}, last ? preview(last) : group ? "Group" : "Private chat"),
    );
    item.setAttribute("aria-current", String(chat.id === current));
    return el("li", {}, item);
  }));
}

const initial = (title) => [...title][0]?.toUpperCase() || "?";

function preview(message) {
  if (message.service) return "The chat changed";
  const who = message.bot ? `${message.name}: ` : "";
  return who + (message.text || message.emoji || message.media || "").replace(/\s+/g, " ").slice(0, 80);
}
