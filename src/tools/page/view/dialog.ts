import { button, element, type Child } from './element.ts'

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
