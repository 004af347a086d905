import type { BrowserCommandContext } from 'vitest/node'
import type { PageCommands } from './page-commands.ts'

type Command<Name extends keyof PageCommands> = (
  context: BrowserCommandContext,
  ...args: Parameters<PageCommands[Name]>
) => ReturnType<PageCommands[Name]>

/** What pages call in the process of Vitest; what answers them is loaded for the first. */
export const browserCommands: { [Name in keyof PageCommands]: Command<Name> } = {
  async cassetteOpen({ project }, test) {
    const { openInPage } = await import('./browser-cassettes.ts')
    return openInPage(project, test)
  },
  async cassetteClose(_, base, outcome) {
    const { closeInPage } = await import('./browser-cassettes.ts')
    return closeInPage(base, outcome)
  },
}
