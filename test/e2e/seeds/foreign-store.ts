import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createHash } from 'node:crypto'

export const FOREIGN_ID = '0c8a1c56-1f7e-4f0c-9d0b-3a5b6a0d7e11'

/** A store as another program writes it, with a conversation about the moons of a planet. */
export function writeForeignStore(store: string, directory: string): string {
  const hash = createHash('sha256').update(directory).digest('hex').slice(0, 8)
  const folder = join(store, `${hash}-some name`)
  mkdirSync(join(folder, FOREIGN_ID), { recursive: true })
  const tokens = { input_tokens: 100, output_tokens: 20, total_tokens: 120, total_cost: 0.005 }
  const lines = [
    { role: 'user', content: 'How many moons?' },
    { role: 'assistant', content: [{ text: 'I count.' }], tokens },
    { role: 'tool', content: { moons: 97 }, tool_name: 'count', tool_use_id: 'use_1' },
    {
      role: 'tool',
      content: { is_error: true, why: 'no such planet' },
      tool_name: 'count',
      tool_use_id: 'use_2',
    },
    { role: 'assistant', content: '97.', tool_name: null, tokens },
    { role: 'user', content: { text: 'Thank you.' } },
  ]
  const messages = lines.map((line, at) => ({ timestamp: `2024-01-08T10:0${at}:00Z`, ...line }))
  writeFileSync(
    join(folder, FOREIGN_ID, 'messages.jsonl'),
    messages.map((message) => `${JSON.stringify(message)}\n`).join(''),
  )
  const metadata = {
    id: FOREIGN_ID,
    model_id: 'anthropic.claude-3-5-sonnet-20241022-v2:0',
    system_prompt: 'You know planets.',
    created_at: '2024-01-08T10:00:00Z',
    updated_at: '2024-01-08T10:05:00Z',
    working_directory: directory,
    message_count: 6,
    has_tasks: true,
    task_count: 2,
    completed_tasks: 1,
    failed_tasks: 1,
    token_usage: { input_tokens: 200, output_tokens: 40, total_tokens: 240, total_cost: 0.01 },
  }
  writeFileSync(join(folder, FOREIGN_ID, 'metadata.json'), JSON.stringify(metadata))
  writeFileSync(join(folder, 'index.json'), JSON.stringify({ conversations: [{ id: FOREIGN_ID }] }))
  return folder
}
