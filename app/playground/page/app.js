// Puts the page together: keeps the chats, follows the server's events, draws the open chat.
import * as api from "./api.js";
import { showChatList } from "./chat-list.js";
import { Composer } from "./composer.js";
import { pickReaction, setUpDialogs } from "./dialogs.js";
import { byId, el } from "./dom.js";
import { MemoryCard } from "./memory-card.js";
import { messageItem } from "./message.js";
import { PresenceLine } from "./presence.js";

const TYPING_MS = 5500;
const chats = new Map();
const unread = new Map();
const speakers = new Map();
const typingUntil = new Map();
let bot = {};
let reactions = [];
let current = null;
let unfollow = () => {};

const presence = new PresenceLine();
const memory = new MemoryCard((person, data) => attempt(api.post("memory", { person, button: data })));
const composer = new Composer({ send, more, editLast });

const chat = () => chats.get(current);
const speaker = () => speakers.get(current) || chat()?.people[0]?.id;

async function load() {
  const state = await api.state();
  bot = state.bot;
  reactions = state.reactions;
  chats.clear();
  for (const item of state.chats) chats.set(item.id, item);
  document.title = `${bot.name} playground`;
  byId("about").replaceChildren(...state.about.map((line) => el("p", {}, line)));
  byId("kill").hidden = !state.can_kill;
  byId("connect-model").hidden = !state.can_connect;
  showModel(state.model);
  composer.showCommands(state.commands);
  if (current === null) composer.showChips(state.chips);
  presence.update(state.bot);
  memory.reset(state.memory);
  unfollow();
  unfollow = api.follow(state.seq, onEvent, onBreak);
  open(chats.has(current) ? current : state.chats[0]?.id);
}

function onBreak(closed) {
  byId("bot-text").textContent = "the playground can't be reached";
  if (closed) setTimeout(() => load().catch(() => onBreak(true)), 2000);
}

function onEvent(event) {
  if (event.presence) presence.update(event.presence);
  switch (event.type) {
    case "reload": load(); break;
    case "message": add(event.message); break;
    case "changed": replace(event.message); break;
    case "deleted": remove(event.chat, event.id); break;
    case "chat": chats.set(event.chat.id, event.chat); draw(event.chat.id); break;
    case "commands": composer.showCommands(event.commands); break;
    case "typing": showTyping(event.chat); break;
    case "answered": if (event.text && event.chat === current) say(event.text); break;
    case "bot": presence.update(event); showModel(event.model); break;
    case "memory": if (event.card) memory.update(event.person, event.card); break;
    case "model": showModel(event.model); break;
  }
}

function add(message) {
  const place = chats.get(message.chat);
  if (!place || place.messages.some(({ id }) => id === message.id)) return;
  place.messages.push(message);
  if (message.bot) { typingUntil.delete(message.chat); showTyping(null); }
  if (message.chat === current) {
    const stick = message.from === speaker() || atEnd();
    byId("messages").append(item(message, place));
    if (stick) toEnd();
  } else {
    unread.set(message.chat, (unread.get(message.chat) || 0) + 1);
  }
  drawList();
}

function replace(message) {
  const place = chats.get(message.chat);
  if (!place) return;
  const index = place.messages.findIndex(({ id }) => id === message.id);
  if (index < 0) return;
  place.messages[index] = message;
  const stick = atEnd();
  if (message.chat === current) byId(`message-${message.id}`)?.replaceWith(item(message, place));
  if (stick) toEnd();
  drawList();
}

function remove(chatId, id) {
  const place = chats.get(chatId);
  if (!place) return;
  place.messages = place.messages.filter((message) => message.id !== id);
  if (chatId === current) byId(`message-${id}`)?.remove();
  drawList();
}

function open(id) {
  if (id === undefined) return;
  current = id;
  unread.delete(id);
  byId("app").classList.remove("listing");
  draw(id);
  toEnd();
  const place = chat();
  if (place.type === "private" && !place.messages.length) attempt(api.act("open", { person: place.id }));
}

function draw(id) {
  drawList();
  if (id !== current) return;
  const place = chat();
  const group = place.type !== "private";
  memory.show(group ? null : place.people[0].id);
  byId("chat-title").textContent = group ? place.title : place.title === "You" ? bot.name : `${bot.name}, with ${place.title}`;
  byId("block").hidden = group;
  byId("block").textContent = place.blocked ? "Unblock the bot" : "Block the bot";
  byId("speaker-row").hidden = !group;
  byId("speaker").replaceChildren(...place.people.map((person) =>
    el("option", { value: String(person.id), selected: person.id === speaker() }, person.name)));
  const closed = place.blocked ? "The bot is blocked" : place.gone ? "The group became a supergroup" : "";
  byId("text").disabled = byId("send").disabled = Boolean(closed);
  byId("chips").hidden = Boolean(closed) || group;
  byId("text").placeholder = closed || (group ? `Message (mention @${bot.username} to be answered)` : "Message");
  byId("messages").replaceChildren(...place.messages.map((message) => item(message, place)));
  byId("typing").hidden = !typingUntil.has(id);
}

const drawList = () => showChatList([...chats.values()], current, unread, open);

function item(message, place) {
  if (message.file_id) message.url = api.fileUrl(message.file_id);
  return messageItem(message, {
    speaker: speaker(),
    group: place.type !== "private",
    isFirst: place.messages[0] === message,
    onCommand: (command) => send(command, null),
    onPress: (about, data) => attempt(api.act("press", { ...to(about), button: data })),
    onReact: (about, emoji) => attempt(api.act("react", { ...to(about), emoji })),
    onPickReaction: (about) => pickReaction(reactions, (emoji) => attempt(api.act("react", { ...to(about), emoji }))),
    onReply: (about) => composer.reply(about),
    onEdit: (about) => composer.edit(about),
  });
}

const to = (message) => ({ person: speaker(), chat: current, message: message.id });

function send(text, target) {
  if (target?.kind === "edit") return attempt(api.act("edit", { ...to(target.message), text }));
  return attempt(api.act("send", { person: speaker(), chat: current, text, reply_to: target?.message.id }));
}

function more(kind, text) {
  const base = { person: speaker(), chat: current };
  if (kind === "photo") return attempt(api.act("send-photo", { ...base, caption: text }));
  if (kind === "sticker") return attempt(api.act("send-sticker", { ...base, emoji: "👋" }));
  return attempt(api.act("send", { ...base, text, forwarded_from: "A friend" }));
}

function editLast() {
  const own = chat().messages.filter((message) => message.from === speaker() && message.text && !message.media);
  if (own.length) composer.edit(own[own.length - 1]);
}

async function attempt(promise) {
  try {
    await promise;
    return true;
  } catch (problem) {
    say(problem.message);
    return false;
  }
}

function say(text) {
  const notice = byId("notice");
  notice.classList.remove("away");
  notice.textContent = text;
  notice.hidden = false;
  setTimeout(() => { if (notice.textContent === text) notice.hidden = true; }, 6000);
}

function showTyping(chatId) {
  if (chatId !== null) {
    clearTimeout(typingUntil.get(chatId));
    typingUntil.set(chatId, setTimeout(() => { typingUntil.delete(chatId); showTyping(null); }, TYPING_MS));
  }
  const stick = atEnd();
  byId("typing").hidden = !typingUntil.has(current);
  presence.typing(typingUntil.has(current));
  if (stick) toEnd();
}

function showModel(name) {
  byId("model-line").textContent = name ? `Model: ${name}` : "A local Telegram";
}

function atEnd() {
  const { scrollHeight, scrollTop, clientHeight } = byId("scroller");
  return scrollHeight - scrollTop - clientHeight < 80;
}

function toEnd() {
  byId("scroller").scrollTop = byId("scroller").scrollHeight;
}

byId("back").addEventListener("click", () => byId("app").classList.add("listing"));
byId("kill").addEventListener("click", () => attempt(api.post("kill")));
byId("block").addEventListener("click", () => attempt(api.act("block", { person: chat().people[0].id, blocked: !chat().blocked })));
byId("speaker").addEventListener("change", (event) => { speakers.set(current, Number(event.target.value)); draw(current); });
setUpDialogs({
  people: () => [...chats.values()].filter(({ type }) => type === "private").flatMap(({ people }) => people),
  onChat: async (id) => { if (!chats.has(id)) await load(); open(id); },
  onModel: showModel,
});
load().then(() => byId("text").focus({ preventScroll: true })).catch(() => onBreak(true));
