import type { BrowserContext } from '@playwright/test'
import type { BrowserCommandContext } from 'vitest/node'
import type { PageCommands } from './page-commands.ts'

type Command<Name extends keyof PageCommands> = (
  context: BrowserCommandContext & { context?: BrowserContext },
  ...args: Parameters<PageCommands[Name]>
) => ReturnType<PageCommands[Name]>

/** The commands that pages call in the process of Vitest. Their implementation loads on the first call. */
export const browserCommands: { [Name in keyof PageCommands]: Command<Name> } = {
  async cassetteWatch({ project, context }) {
    const { watchInPages } = await import('./browser-cassettes.ts')
    return watchInPages(project, context)
  },
  async cassetteOpen({ project, context }, test) {
    const { openInPage } = await import('./browser-cassettes.ts')
    return openInPage(project, test, context)
  },
  async cassetteClose({ context }, base, outcome) {
    const { closeInPage } = await import('./browser-cassettes.ts')
    return closeInPage(base, outcome, context)
  },
}
