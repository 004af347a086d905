import type { BrowserContext } from '@playwright/test'
import type { BrowserCommandContext } from 'vitest/node'
import type { PageCommands } from './page-commands.ts'

type Command<Name extends keyof PageCommands> = (
  context: BrowserCommandContext & { context?: BrowserContext },
  ...args: Parameters<PageCommands[Name]>
) => ReturnType<PageCommands[Name]>

const load = () => import('./browser-cassettes.ts')

/** The commands that pages call in the process of Vitest. Their implementation loads on the first call. */
export const browserCommands: { [Name in keyof PageCommands]: Command<Name> } = {
  cassetteWatch: async ({ project, context }) => (await load()).watchInPages(project, context),
  cassetteOpen: async ({ project, context }, test) =>
    (await load()).openInPage(project, test, context),
  cassetteClose: async (_, base, outcome) => (await load()).closeInPage(base, outcome),
}
