// New person, new group, connect a model, pick a reaction.
import { act, post } from "./api.js";
import { button, byId, el } from "./dom.js";

const PROVIDERS = {
  openai: { url: "", hint: "https://api.openai.com/v1", model: "gpt-5-mini", key: true },
  openrouter: { url: "https://openrouter.ai/api/v1", hint: "", model: "openai/gpt-5-mini", key: true },
  ollama: { url: "http://127.0.0.1:11434/v1", hint: "", model: "llama3.2", key: false },
  other: { url: "", hint: "http://127.0.0.1:8000/v1", model: "model name", key: true },
};

export function setUpDialogs({ people, onChat, onModel }) {
  for (const closer of document.querySelectorAll("[data-close]")) {
    closer.addEventListener("click", () => closer.closest("dialog").close());
  }
  ask("person", (fields) => act("add-person", { name: fields.get("name") }), onChat);
  ask("group", (fields) => act("add-group", {
    title: fields.get("title"), people: fields.getAll("people").map(Number),
  }), onChat, () => {
    byId("group-people").replaceChildren(...people().map(({ id, name }) => el("label", {},
      el("input", { type: "checkbox", name: "people", value: String(id), checked: true }), name)));
  });
  setUpModel(onModel);
}

function ask(name, save, onChat, prepare = () => {}) {
  const dialog = byId(`${name}-dialog`);
  const form = dialog.querySelector("form");
  const error = dialog.querySelector(".error");
  byId(`new-${name}`).addEventListener("click", () => {
    form.reset();
    error.textContent = "";
    prepare();
    dialog.showModal();
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const { chat } = await save(new FormData(form));
      dialog.close();
      onChat(chat.id);
    } catch (problem) {
      error.textContent = problem.message;
    }
  });
}

function setUpModel(onModel) {
  const dialog = byId("model-dialog");
  const form = dialog.querySelector("form");
  const verdict = dialog.querySelector(".verdict");
  const submit = form.querySelector('[type="submit"]');
  const preset = () => {
    const { url, hint, model, key } = PROVIDERS[form.provider.value];
    form.base_url.value = url;
    form.base_url.placeholder = hint;
    form.model.placeholder = model;
    form.key.placeholder = key ? "" : "not needed";
    verdict.textContent = "";
  };
  form.provider.addEventListener("change", preset);
  byId("connect-model").addEventListener("click", () => { form.reset(); preset(); dialog.showModal(); });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    submit.disabled = true;
    verdict.className = "verdict";
    verdict.textContent = "Trying it…";
    try {
      const answer = await post("model", Object.fromEntries(new FormData(form)));
      verdict.classList.add(answer.ok ? "good" : "bad");
      verdict.textContent = answer.message;
      if (answer.ok) { form.key.value = ""; onModel(answer.model); }
    } catch (problem) {
      verdict.classList.add("bad");
      verdict.textContent = problem.message;
    } finally {
      submit.disabled = false;
    }
  });
}

export function pickReaction(emojis, onPick) {
  const dialog = byId("reaction-dialog");
  const pick = (emoji) => { dialog.close(); onPick(emoji); };
  byId("reaction-grid").replaceChildren(...emojis.map((emoji) => button(emoji, () => pick(emoji))));
  dialog.showModal();
}
