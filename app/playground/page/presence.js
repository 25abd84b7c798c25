// The bot's status line, and the account of each time it was away.
import { byId } from "./dom.js";

const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
const seconds = (value) => `${value.toFixed(1)} s`;

export class PresenceLine {
  #bot = { state: "starting" };
  #goneAt = 0;
  #timer = 0;
  #typing = 0;
  #wasAway = false;
  #quietAt = 0;

  update(bot) {
    const changed = bot.state !== this.#bot.state;
    this.#bot = bot;
    if (bot.state === "away" && changed) {
      this.#goneAt = performance.now() - bot.away_secs * 1000;
      this.#wasAway = true;
      clearTimeout(this.#quietAt);
    }
    clearInterval(this.#timer);
    if (bot.state === "away") this.#timer = setInterval(() => this.#show(), 100);
    byId("kill").disabled = bot.state !== "up";
    this.#show();
  }

  typing(until) {
    this.#typing = until;
    this.#show();
  }

  #show() {
    const { state } = this.#bot;
    const line = byId("bot-line");
    line.className = `bot-line ${state}`;
    const text = { starting: "starting…", up: this.#typing ? "typing…" : "online" }[state];
    byId("bot-text").textContent = text || "away";
    line.setAttribute("aria-live", state === "away" ? "off" : "polite");
    this.#account();
  }

  #account() {
    if (!this.#wasAway) return;
    const notice = byId("notice");
    const { state, waiting, answered, away_secs } = this.#bot;
    notice.hidden = false;
    notice.setAttribute("aria-live", state === "away" ? "off" : "polite");
    notice.classList.toggle("away", state === "away");
    if (state === "away") {
      const gone = seconds((performance.now() - this.#goneAt) / 1000);
      const queue = waiting ? ` ${plural(waiting, "message")} waiting.` : " Write something: it will wait.";
      notice.textContent = `The bot is gone and will be back. Away for ${gone}.${queue}`;
      return;
    }
    notice.textContent = `Back after ${seconds(away_secs)}. ${settled(waiting, answered)}`;
    if (answered >= waiting) this.#leaveSoon(notice);
  }

  #leaveSoon(notice) {
    this.#wasAway = false;
    this.#quietAt = setTimeout(() => { notice.hidden = true; }, 20000);
  }
}

function settled(waiting, answered) {
  if (!waiting) return "No message was waiting.";
  if (answered >= waiting) {
    const fate = waiting === 1 ? "and was answered" : "and all were answered";
    return `${plural(waiting, "message")} waited ${fate}. Nothing was lost.`;
  }
  return `${plural(waiting, "message")} waited; ${answered} answered so far…`;
}
