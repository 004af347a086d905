'use server'

import Anthropic from '@anthropic-ai/sdk'

/** Sums a conversation up for the colleague who takes it over. */
export async function summarise(conversation: string): Promise<string> {
  const { content } = await new Anthropic().messages.create({
    model: 'claude-haiku-4-5',
    max_tokens: 200,
    system: 'Sum up the conversation for a colleague, in five words or fewer.',
    messages: [{ role: 'user', content: conversation }],
  })
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('')
}
