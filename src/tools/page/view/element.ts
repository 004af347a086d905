/** The content of an element. Strings become text nodes, even if they look like markup. */
export type Child = Node | string | number | false | undefined | null | readonly Child[]

type Attributes = Record<string, string | number | boolean | undefined | ((event: never) => void)>

/**
 * Makes an element. An attribute that is a function becomes an event listener; `false` and `undefined` omit it. Strings
 * are never parsed as markup.
 */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue
    if (typeof value === 'function') made.addEventListener(attribute, value as EventListener)
    else made.setAttribute(attribute, value === true ? '' : String(value))
  }
  append(made, children)
  return made
}

function append(parent: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (child === false || child === undefined || child === null) continue
    if (Array.isArray(child)) append(parent, child)
    else parent.append(child instanceof Node ? child : String(child))
  }
}

/** Replaces the content of an element. */
export function fill(parent: Element, ...children: Child[]): void {
  parent.replaceChildren()
  append(parent, children)
}

/** Makes a button with a label and a click listener. */
export function button(
  label: Child,
  act: (event: MouseEvent) => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  return element('button', { type: 'button', click: act, ...attributes }, label)
}
