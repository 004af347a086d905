/** What stands in an element: texts are texts, whatever they look like. */
export type Child = Node | string | number | false | undefined | null | readonly Child[]

type Attributes = Record<string, string | number | boolean | undefined | ((event: never) => void)>

/**
 * Makes an element. Attributes that are functions listen to an event; `false` and `undefined` leave one out. Markup is
 * never read from a text.
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

/** Puts new content in the place of what an element holds. */
export function fill(parent: Element, ...children: Child[]): void {
  parent.replaceChildren()
  append(parent, children)
}

/** A button that says by its text what it does. */
export function button(
  label: Child,
  act: (event: MouseEvent) => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  return element('button', { type: 'button', click: act, ...attributes }, label)
}
