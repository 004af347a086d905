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
  name = 'disclosure',
): HTMLButtonElement {
  const toggle = button(
    label,
    () => {
      const isShown = toggle.getAttribute('aria-expanded') !== 'true'
      toggle.setAttribute('aria-expanded', String(isShown))
      if (isShown) fillLoaded(body, load())
      else fill(body)
    },
    { class: name, 'aria-expanded': 'false' },
  )
  return toggle
}

/** Fills an element with content that is still to be loaded, or with the problem. */
export function fillLoaded(body: HTMLElement, loading: Promise<Child>): void {
  fill(body, element('p.quiet', 'Loading…'))
  loading.then(
    (content) => fill(body, content),
    (error: Error) => fill(body, element('p.problem', error.message)),
  )
}
