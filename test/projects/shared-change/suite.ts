import OpenAI from 'openai'
import { expect, test } from 'vitest'

const { WORD = 'kind', SDK, OWN } = process.env

const RULES = Array.from({ length: 30 }, (_, line) => `Rule ${line + 1}: stay calm.`)

/** Tests of one application, which sends the same instructions with every question. */
export function suite(name: string, last: number, first = 1): void {
  const openai = new OpenAI({ baseURL: `${process.env.UPSTREAM_URL}/v1`, maxRetries: 0 })
  const system = RULES.with(11, `Rule 12: be ${WORD}.`).join('\n')
  for (let number = first; number <= last; number++)
    test(`question ${number}`, async () => {
      const { choices } = await openai.chat.completions.create({
        model: 'gpt-5',
        ...(SDK === 'next' ? { service_tier: 'default' } : {}),
        messages: [
          { role: 'system', content: OWN ? `${system}\nThis is test ${number}.` : system },
          { role: 'user', content: `renewed ${name} ${number}` },
        ],
      })
      expect(choices[0]!.message.content).toContain(name)
    })
}
