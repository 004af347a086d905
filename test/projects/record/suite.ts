import OpenAI from 'openai'
import { expect, test } from 'vitest'

const { SYSTEM = 'Be brief.', COUNT = '3', MODEL = 'gpt-5', WANTED, DIES } = process.env

/** Tests that each ask one question. */
export function suite(name: string): void {
  for (let number = 1; number <= Number(COUNT); number++)
    test(`${name} ${number}`, async () => {
      const answer = await ask(name, `${number}`)
      if (DIES) process.kill(process.pid, 'SIGKILL')
      expect(answer).toContain(WANTED ?? name)
    })
}

/** Asks a provider that gives every answer ids of its own. */
export async function ask(name: string, question: string): Promise<string | null> {
  const openai = new OpenAI({ baseURL: `${process.env.UPSTREAM_URL}/v1`, maxRetries: 0 })
  const { choices } = await openai.chat.completions.create({
    model: MODEL,
    max_tokens: 10,
    messages: [
      { role: 'system', content: name === 'one' ? SYSTEM : 'Be polite.' },
      { role: 'user', content: `renewed ${name} ${question}` },
    ],
  })
  return choices[0]!.message.content
}
