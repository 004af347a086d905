import { button } from './element.ts'

const THEMES = ['auto', 'light', 'dark'] as const

const KEY = 'vitest-cassette-theme'

/** A button that switches between the theme of the system, light and dark. */
export function themeButton(): HTMLButtonElement {
  const made = button('', () => use(THEMES[(THEMES.indexOf(chosen()) + 1) % THEMES.length]!), {
    class: 'theme',
  })
  function use(theme: (typeof THEMES)[number]): void {
    remember(theme)
    document.documentElement.style.colorScheme = theme === 'auto' ? 'light dark' : theme
    made.textContent = theme
    made.setAttribute('aria-label', `Colours: ${theme}`)
  }
  use(chosen())
  return made
}

/** The stored theme. A browser may deny `localStorage` to a page opened from disk. */
function chosen(): (typeof THEMES)[number] {
  try {
    return THEMES.find((theme) => theme === localStorage.getItem(KEY)) ?? 'auto'
  } catch {
    return 'auto'
  }
}

function remember(theme: string): void {
  try {
    localStorage.setItem(KEY, theme)
  } catch {
    // Without storage, the theme lasts until the page is closed.
  }
}
