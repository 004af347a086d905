import { button, element, fill, type Child } from './element.ts'

/**
 * A button that shows the content of an element, and hides it again.
 *
 * @param load makes the content, each time it is to be shown
 */
export function disclosure(
  label: string,
  body: HTMLElement,
  load: () => Promise<Child>,
  name: string,
): HTMLButtonElement {
  const toggle = button(
    label,
    () => {
      const isShown = toggle.getAttribute('aria-expanded') !== 'true'
      toggle.setAttribute('aria-expanded', String(isShown))
      if (!isShown) return fill(body)
      fill(body, element('p', { class: 'quiet' }, 'Loading…'))
      load().then(
        (content) => fill(body, content),
        (error: Error) => fill(body, element('p', { class: 'problem' }, error.message)),
      )
    },
    { class: name, 'aria-expanded': 'false' },
  )
  return toggle
}
