import type { ProviderFormat } from '../conversation/transcript/provider-content.ts'
import type { ProviderMessages } from '../conversation/transcript/provider-messages.ts'

/** Which stored conversation `resumeConversation` reads, and for whom. */
export interface ResumeOptions {
  /** The folder of the stored conversations. */
  store: string
  /** The working directory whose conversation it is. @default process.cwd() */
  workspace?: string
  /** What the messages are for. @default 'openai-chat' */
  format?: ProviderFormat
  /** One thread of a conversation that has several, by its number. @default 1 */
  thread?: number
}

/**
 * Turns a stored conversation into messages ready for a provider, as `vitest-cassette resume` does:
 * append what comes next, and send it. What cannot be read of the conversation is left out.
 *
 * @throws CassetteError `invalid-conversation` for an id or a thread that does not exist.
 */
export async function resumeConversation(
  id: string,
  { store, workspace = process.cwd(), format = 'openai-chat', thread = 1 }: ResumeOptions,
): Promise<ProviderMessages> {
  // Tests that never resume anything load none of this.
  const { openStored } = await import('./open-stored.ts')
  const { providerMessages } = await import('../conversation/transcript/provider-messages.ts')
  const { conversations, pictures } = openStored(id, store, workspace)
  const conversation = conversations[thread - 1]
  if (conversation) return providerMessages(conversation, format, pictures)
  const { CassetteError } = await import('../errors.ts')
  throw new CassetteError(
    'invalid-conversation',
    `The conversation '${id}' has no thread ${thread}; it has ${conversations.length}.`,
  )
}
