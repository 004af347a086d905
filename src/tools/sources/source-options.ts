import { DIR_OPTION } from './cassette-folders.ts'
import { takesText } from '../terminal/options.ts'

/** The options that name cassettes or stored conversations. */
export const SOURCE_OPTIONS = {
  ...DIR_OPTION,
  store: takesText('a folder of stored conversations, in the place of cassettes'),
  workspace: takesText(
    'the working directory of the conversations, or its name in `history workspaces` (default: this one)',
  ),
}
