import { DIR_EXPLAINS, DIR_OPTION } from './cassette-folders.ts'

/** The options that name stored conversations. */
export const STORE_OPTIONS = { store: { type: 'string' }, workspace: { type: 'string' } } as const

export const SOURCE_OPTIONS = { ...DIR_OPTION, ...STORE_OPTIONS } as const

export const SOURCE_EXPLAINS = {
  ...DIR_EXPLAINS,
  store: 'a folder of stored conversations, in the place of cassettes',
  workspace:
    'the working directory of the conversations, or its name in `workspaces` (default: this one)',
}
