import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { useCassette } from 'vitest-cassette'

const url = process.env.UPSTREAM_URL
const anthropic = new Anthropic({ apiKey: 'none', baseURL: url })
const openai = new OpenAI({ apiKey: 'sk-none', baseURL: `${url}/v1` })

/** The picture with this name; while recording, always the plain one. */
function picture(name: string): string {
  const file = process.env.RECORD === '1' ? 'plain' : name
  return readFileSync(join(import.meta.dirname, `${file}.png`)).toString('base64')
}

function image(name: string): Anthropic.ImageBlockParam {
  const data = picture(name)
  return { type: 'image', source: { type: 'base64', media_type: 'image/png', data } }
}

async function describe(name: string): Promise<Anthropic.ContentBlock[]> {
  const content = [{ type: 'text', text: 'What is this?' } as const, image(name)]
  const body = {
    model: 'claude-haiku-4-5',
    max_tokens: 99,
    messages: [{ role: 'user' as const, content }],
  }
  return (await anthropic.messages.create(body)).content
}

/** Shows a screen as the result of a tool; the model clicks on the button. */
async function click(name: string): Promise<unknown> {
  const result = { type: 'tool_result' as const, tool_use_id: 'call-1', content: [image(name)] }
  const input = { action: 'screenshot' }
  const { content } = await anthropic.messages.create({
    model: 'claude-haiku-4-5',
    max_tokens: 99,
    tools: [{ name: 'computer', input_schema: { type: 'object' } }],
    messages: [
      { role: 'user', content: 'Pay.' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'call-1', name: 'computer', input }] },
      { role: 'user', content: [result] },
      { role: 'user', content: 'Call it with {"action":"left_click","coordinate":[480,400]}' },
    ],
  })
  return content.find((block) => block.type === 'tool_use')?.input
}

for (const name of ['moved', 'none', 'broken', 'animated'])
  test(`anthropic: ${name}`, async () => {
    expect(await describe(name)).toMatchObject([
      { text: expect.stringMatching(/^You said: What is this\?/) },
    ])
  })

for (const name of ['moved', 'none'])
  test(`openai: ${name}`, async () => {
    const stream = await openai.chat.completions.create({
      model: 'gpt-5',
      stream: true,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${picture(name)}` } },
          ],
        },
      ],
    })
    let answer = ''
    for await (const { choices } of stream) answer += choices[0]?.delta.content ?? ''
    expect(answer).toBe('You said: What is this? [image]')
  })

for (const name of ['moved', 'banner', 'none'])
  test(`region: ${name}`, async () => {
    useCassette({ images: { match: 'phash', threshold: 2, region: 160 } })
    expect(await click(name)).toEqual({ action: 'left_click', coordinate: [480, 400] })
  })

test('exact: moved', async () => {
  useCassette({ images: { match: 'exact' } })
  await describe('moved')
})
