import type { PromptChange } from '../../src/diff/prompt-change.ts'
import { diffPrompts } from '../../src/diff/diff-prompts.ts'
import type { Message, Prompt } from '../../src/prompt/prompt.ts'
import { summarizeChange } from './as-shown.ts'

/** A message of one text. */
export function textMessage(role: string, text: string): Message {
  return { role, parts: [{ type: 'text', text }] }
}

/** A prompt of one user message. */
export function promptOf(text: string): Prompt {
  return {
    provider: 'openai',
    operation: 'chat',
    parameters: {},
    messages: [textMessage('user', text)],
    tools: [],
  }
}

/** A conversation with history, tool calls, an image and tools; `edit` changes a copy of it. */
export function supportPrompt(edit: (prompt: Prompt) => void = () => {}): Prompt {
  const prompt: Prompt = {
    provider: 'openai',
    operation: 'chat',
    model: 'gpt-4o-mini',
    parameters: {
      temperature: 0,
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'answer', schema: { type: 'object', required: ['id', 'name'] } },
      },
    },
    messages: [
      textMessage('system', 'You are a support agent. Never promise a refund.'),
      textMessage('user', 'Where is my order?'),
      textMessage('assistant', 'Which order do you mean?'),
      textMessage('user', 'The last one, and the one before it.'),
      {
        role: 'assistant',
        parts: [
          { type: 'tool_call', id: 'call_a', name: 'lookup', arguments: { order: { id: 7 } } },
          { type: 'tool_call', id: 'call_b', name: 'lookup', arguments: { order: { id: 8 } } },
        ],
      },
      {
        role: 'tool',
        parts: [{ type: 'tool_call_response', id: 'call_a', result: 'shipped on Monday' }],
      },
      {
        role: 'tool',
        parts: [{ type: 'tool_call_response', id: 'call_b', result: { status: 'lost' } }],
      },
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'What is in the picture?' },
          { type: 'blob', mimeType: 'image/png', hash: 'a'.repeat(64), size: 1_234 },
        ],
      },
      textMessage('user', 'Summarise the last ticket in one line'),
    ],
    tools: [
      {
        name: 'lookup',
        description: 'Looks an order up by its number.',
        parameters: { type: 'object', properties: { id: { type: 'number' } }, required: ['id'] },
      },
      { name: 'refund', description: 'Pays the money back.' },
    ],
  }
  edit(prompt)
  return prompt
}

/** What changed between the prompt and an edited copy of it. */
export function changesOf(edit: (prompt: Prompt) => void): PromptChange[] {
  return diffPrompts(supportPrompt(), supportPrompt(edit))
}

/** Like {@link changesOf}, each change as one line. */
export function summariesOf(edit: (prompt: Prompt) => void): string[] {
  return changesOf(edit).map(summarizeChange)
}

/** Replaces the text of a message. */
export function write(prompt: Prompt, index: number, text: string): void {
  prompt.messages[index] = textMessage(prompt.messages[index]!.role, text)
}
