// Talks to the playground's server. Every call carries the session token the page was served with.
const session = document.querySelector('meta[name="session"]').content;
const headers = { "X-Playground-Session": session, "Content-Type": "application/json" };

async function answered(response) {
  const body = await response.json();
  if (!response.ok) throw new Error(body.error || body.message || "That did not work.");
  return body;
}

export const state = async () => answered(await fetch("/playground/state", { headers }));

export async function post(path, body = {}) {
  const options = { method: "POST", headers, body: JSON.stringify(body) };
  return answered(await fetch(`/playground/${path}`, options));
}

export const act = (action, body) => post(`act/${action}`, body);

export function follow(since, onEvent, onBreak) {
  const source = new EventSource(`/playground/events?since=${since}&session=${session}`);
  source.onmessage = (event) => onEvent(JSON.parse(event.data));
  source.onerror = () => onBreak(source.readyState === EventSource.CLOSED);
  return () => source.close();
}

export const fileUrl = (id) => `/playground/file/${id}?session=${session}`;
