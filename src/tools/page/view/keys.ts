import { element, elements, openDialog } from './element.ts'

/** The actions of keys outside of input fields. */
type KeyActions = Record<'search' | 'foldAll' | 'overview' | 'theme', () => void> &
  Record<'beside' | 'exchange', (step: 1 | -1) => void>

const KEYS: Array<[keys: string, does: string]> = [
  ['/', 'search'],
  ['↑ ↓ Enter', 'choose a test in the list'],
  ['n p', 'next, previous test'],
  ['j k', 'next, previous exchange'],
  ['x', 'open or close everything that folds'],
  ['o', 'overview'],
  ['t', 'light, dark, or as the system says'],
  ['?', 'these keys'],
]

/** Listens to keys, except in fields and dialogs, and with Ctrl, Meta or Alt. */
export function listenToKeys(actions: KeyActions): void {
  const all: Record<string, () => void> = {
    '/': actions.search,
    n: () => actions.beside(1),
    p: () => actions.beside(-1),
    j: () => actions.exchange(1),
    k: () => actions.exchange(-1),
    x: actions.foldAll,
    o: actions.overview,
    t: actions.theme,
    '?': showKeys,
  }
  document.addEventListener('keydown', (event) => {
    const isTyped = (event.target as HTMLElement).matches?.('input, textarea, dialog *')
    if (isTyped || event.ctrlKey || event.metaKey || event.altKey) return
    const act = all[event.key]
    if (!act) return
    event.preventDefault()
    act()
  })
}

export function showKeys(): void {
  const list = element(
    'dl',
    KEYS.map(([keys, does]) => [
      element('dt', elements('kbd', keys.split(' '))),
      element('dd', does),
    ]),
  )
  openDialog('keys', 'Keys', element('h2', 'Keys'), list)
}
