import OpenAI from 'openai'
import { expect, test } from 'vitest'

const { SYSTEM = 'Be brief.', COUNT = '3', MODEL = 'gpt-5', WANTED, DIES } = process.env

/** Tests that each ask one question, of a provider that gives every answer ids of its own. */
export function suite(name: string): void {
  const openai = new OpenAI({ baseURL: `${process.env.UPSTREAM_URL}/v1`, maxRetries: 0 })
  for (let number = 1; number <= Number(COUNT); number++)
    test(`${name} ${number}`, async () => {
      const { choices } = await openai.chat.completions.create({
        model: MODEL,
        max_tokens: 10,
        messages: [
          { role: 'system', content: name === 'one' ? SYSTEM : 'Be polite.' },
          { role: 'user', content: `renewed ${name} ${number}` },
        ],
      })
      if (DIES) process.kill(process.pid, 'SIGKILL')
      expect(choices[0]!.message.content).toContain(WANTED ?? name)
    })
}
