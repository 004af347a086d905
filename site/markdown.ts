/** What the site needs of markdown-it. */
export interface Markdown {
  core: {
    ruler: {
      push(name: string, rule: (state: { tokens: Token[]; env: Page }) => void): void
    }
  }
  renderer: { rules: Record<string, ((...args: unknown[]) => string) | undefined> }
}

/** Where a page is read from: `path` is where it is in the site, if `realPath` says otherwise. */
interface Page {
  path: string
  realPath?: string
}

export interface Token {
  type: string
  content: string
  children: Token[] | null
  attrGet(name: string): string | null
  attrSet(name: string, value: string): void
}
