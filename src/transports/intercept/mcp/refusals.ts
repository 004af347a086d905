import { CassetteError } from '../../../errors.ts'
import type { McpMessage } from '../../../wire/mcp-messages.ts'
import { REFUSAL_MARK } from '../../refuse.ts'

/** The error for a client whose answer to its server differs from the recorded one. */
export const OTHERWISE =
  'The client answered the server otherwise than in the recording, so the next messages of the server are not known.'

/** The error for a client whose request has no answer. */
export function errorOf(text: string): McpMessage {
  return { error: { code: -32_000, message: `${REFUSAL_MARK} ${text}` } }
}

/**
 * The error where a client answers a server that does not run, so that the recording cannot go on.
 *
 * @param method what the server asked for: `elicitation/create`, `sampling/createMessage`
 * @param difference in one line
 */
export function leftRecording(server: string, method: string, difference: string): CassetteError {
  return new CassetteError(
    'miss',
    `The answer to ${method} of the MCP server ${server} differs from the recording\n` +
      `${difference}\n` +
      'A tool call that is replayed cannot be continued live. Record the whole test again:',
  )
}
