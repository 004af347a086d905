/** The content of an element. Strings become text nodes, even if they look like markup. */
export type Child = Node | string | number | false | undefined | readonly Child[]

type Attributes = Record<string, string | number | boolean | undefined | ((event: never) => void)>

type Tag = keyof HTMLElementTagNameMap

type TagOf<Selector> = Selector extends `${infer Name extends Tag}.${string}` ? Name : Selector

/**
 * Makes an element: `element('p.quiet', …)`. An attribute that is a function becomes an event listener; `false` and
 * `undefined` omit it. Strings are never parsed as markup.
 */
export function element<Selector extends Tag | `${Tag}.${string}`>(
  selector: Selector,
  ...content: Array<Attributes | Child>
): HTMLElementTagNameMap[TagOf<Selector> & Tag] {
  const [name, ...classes] = selector.split('.')
  const made = document.createElement(name as TagOf<Selector> & Tag)
  made.classList.add(...classes)
  for (const one of content) {
    if (isAttributes(one)) setAttributes(made, one)
    else append(made, [one])
  }
  return made
}

function isAttributes(one: Attributes | Child): one is Attributes {
  return typeof one === 'object' && one.constructor === Object
}

function setAttributes(made: Element, attributes: Attributes): void {
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue
    if (typeof value === 'function') made.addEventListener(attribute, value as EventListener)
    else made.setAttribute(attribute, value === true ? '' : String(value))
  }
}

function append(parent: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (child === false || child === undefined) continue
    if (Array.isArray(child)) append(parent, child)
    else parent.append(child instanceof Node ? child : String(child))
  }
}

/** Replaces the content of an element. */
export function fill(parent: Element, ...children: Child[]): void {
  parent.replaceChildren()
  append(parent, children)
}

export function elements(tag: Tag, texts: readonly string[]): HTMLElement[] {
  return texts.map((text) => element(tag, text))
}

/** A button that shows the rest of something, and goes. */
export function moreButton(label: string, showRest: () => void): HTMLButtonElement {
  const more = button(
    label,
    () => {
      showRest()
      more.remove()
    },
    { class: 'more' },
  )
  return more
}

/** Makes a button with a label and a click listener. */
export function button(
  label: Child,
  act: (event: MouseEvent) => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  return element('button', { type: 'button', click: act, ...attributes }, label)
}

/** Opens a dialog over the page, with a button that closes it. */
export function openDialog(name: string, label: string, head: Child, ...body: Child[]): void {
  const dialog = element(
    'dialog',
    { class: name, 'aria-label': label, close: () => dialog.remove() },
    element(
      'header',
      head,
      button('Close', () => dialog.close()),
    ),
    body,
  )
  document.body.append(dialog)
  dialog.showModal()
}
