import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { useCassette, type Speaker } from 'vitest-cassette'

const openai = new OpenAI({ baseURL: `${process.env.ODD_URL}/v1`, maxRetries: 0 })

/** Asks one question after the other, in one conversation, and gives the answers; all but the first can be streamed. */
async function talk(questions: string[], streams = false): Promise<string[]> {
  const messages: OpenAI.ChatCompletionMessageParam[] = []
  for (const content of questions) {
    messages.push({ role: 'user', content })
    let answer = ''
    if (streams && messages.length > 1)
      for await (const { choices } of await openai.chat.completions.create({
        model: 'gpt-5',
        messages,
        stream: true,
      }))
        answer += choices[0]?.delta.content ?? ''
    else {
      const { choices } = await openai.chat.completions.create({ model: 'gpt-5', messages })
      answer = choices[0]!.message.content!
    }
    messages.push({ role: 'assistant', content: answer })
  }
  return messages.flatMap(({ role, content }) => (role === 'assistant' ? String(content) : []))
}

/** Says its lines one after the other, from the second step of a conversation on. */
function scripted(lines: string[]): Speaker {
  return {
    name: 'script',
    canHandle: ({ conversation }) => conversation.length > 0,
    handleStep: ({ conversation }) => {
      const text = lines[conversation.length - 1]
      return text === undefined
        ? { status: 'failed', reason: `line ${conversation.length} is not written` }
        : { status: 'continue', answer: { text } }
    },
  }
}

for (const stream of [false, true])
  test(`a script goes on from the cassette, streamed: ${stream}`, async ({ cassette }) => {
    useCassette({ speakers: [scripted(['Second.', 'Third.'])] })
    const [first, ...others] = await talk(['renewed first', 'Next?', 'And then?'], stream)
    expect(first).toContain('first')
    expect(others).toEqual(['Second.', 'Third.'])
    expect(cassette.exchanges.map(({ speaker }) => speaker)).toEqual([
      process.env.RECORD ? 'live' : 'cassette',
      'script',
      'script',
    ])
  })

test('a script that ends too early', async () => {
  useCassette({ speakers: [scripted(process.env.RECORD ? ['Second.', 'Third.'] : ['Second.'])] })
  await talk(['renewed early', 'Next?', 'And then?']).catch(() => {})
})

test('a step is left to the provider', async () => {
  const toLive: Speaker = {
    name: 'to-live',
    canHandle: () => true,
    handleStep: () => ({ status: 'switch_speaker', nextSpeaker: 'live' }),
  }
  useCassette({ speakers: [toLive] })
  await talk(['renewed left']).catch(() => {})
})
