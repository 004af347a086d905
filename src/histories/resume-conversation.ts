import type { ProviderFormat, ProviderMessages } from '../conversation/provider-messages.ts'

/** Options of `resumeConversation`. */
export interface ResumeOptions<Format extends ProviderFormat = ProviderFormat> {
  /** The folder of the stored conversations. */
  store: string
  /** The working directory that the conversation belongs to. @default process.cwd() */
  workspace?: string
  /** The provider format of the messages. @default 'openai-chat' */
  format?: Format
  /** The number of the thread, in a conversation with several. @default 1 */
  thread?: number
}

/**
 * Turns a stored conversation into messages ready for a provider, as `vitest-cassette history resume` does:
 * append the next message, and send them. Unreadable parts of the conversation are left out.
 *
 * @throws CassetteError `invalid-conversation` for an id or a thread that does not exist.
 */
export async function resumeConversation<Format extends ProviderFormat = 'openai-chat'>(
  id: string,
  { store, workspace = process.cwd(), format, thread = 1 }: ResumeOptions<Format>,
): Promise<ProviderMessages<Format>> {
  // Loaded on demand: most tests resume no conversation.
  const { openStored } = await import('./open-file.ts')
  const { providerMessages } = await import('../conversation/provider-messages.ts')
  const { conversations, pictures } = openStored(id, store, workspace)
  const conversation = conversations[thread - 1]
  if (conversation)
    return providerMessages(
      conversation,
      format ?? 'openai-chat',
      pictures,
    ) as ProviderMessages<Format>
  const { CassetteError } = await import('../errors.ts')
  throw new CassetteError(
    'invalid-conversation',
    conversations.length === 0
      ? `The conversation '${id}' has no messages yet.`
      : `The conversation '${id}' has no thread ${thread}; it has ${conversations.length}.`,
  )
}
