import { CassetteError } from '../../errors.ts'
import type { McpMessage } from '../../wire/mcp.ts'
import { REFUSAL_MARK } from '../call/refuse.ts'

/** What a client is told whose answer to its server is another one than recorded. */
export const OTHERWISE =
  'The client answered the server otherwise than when this was recorded, so that nothing is known of what came then.'

/** What a client gets for a request that nothing answers. */
export function errorOf(text: string): McpMessage {
  return { error: { code: -32_000, message: `${REFUSAL_MARK} ${text}` } }
}

/** Why what a client answers to a server that does not run cannot be recorded. */
export function leftRecording(server: string): CassetteError {
  return new CassetteError(
    'miss',
    `What the MCP server ${server} was answered left its recording\n` +
      'A tool call that is replayed cannot be continued live. Record the whole test again:',
  )
}
