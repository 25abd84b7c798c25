// Builds elements. Text only ever becomes text nodes: nothing a person or a bot writes is markup.
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name in element && name !== "role") element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export const byId = (id) => document.getElementById(id);

export function button(label, onclick, className = "") {
  return el("button", { type: "button", textContent: label, onclick, className });
}
