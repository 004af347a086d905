import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import type { Completion } from '../../src/prompt/completion.ts'
import { fetchOf, PICNIC } from './written-for.ts'

const clientOf = (completion: Completion): OpenAI =>
  new OpenAI({ apiKey: 'none', fetch: fetchOf(completion), maxRetries: 0 })

const REFUSED: Completion = { text: '', toolCalls: [], finishReasons: [], error: 'Too fast.' }
const PLAIN: Completion = { text: 'Hello, you.', toolCalls: [], finishReasons: [] }

const messages = [{ role: 'user' as const, content: 'Is it dry?' }]
const model = 'gpt-5-mini'

const CALLS = [
  { id: 'call_1', name: 'weather', arguments: '{"city":"Ulm","days":[1,2]}' },
  { id: 'call_2', name: 'now', arguments: '{}' },
]

describe('chat completions', () => {
  const functions = CALLS.map(({ id, ...call }) =>
    expect.objectContaining({ id, type: 'function', function: expect.objectContaining(call) }),
  )

  test('come at once', async () => {
    const { chat } = clientOf(PICNIC)
    const { choices, usage } = await chat.completions.create({ model, messages })
    expect(choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { content: PICNIC.text, reasoning_content: PICNIC.reasoning },
    })
    expect(choices[0]!.message.tool_calls).toEqual(functions)
    expect(usage).toEqual({
      prompt_tokens: 120,
      completion_tokens: 40,
      total_tokens: 160,
      prompt_tokens_details: { cached_tokens: 100 },
    })
  })

  test.each([true, false])('come as a stream, asked for usage: %s', async (include) => {
    const { chat } = clientOf(PICNIC)
    const options = include ? { stream_options: { include_usage: true } } : {}
    const stream = chat.completions.stream({ model, messages, ...options })
    const deltas: string[] = []
    stream.on('content', (delta) => deltas.push(delta))
    const { choices, usage } = await stream.finalChatCompletion()
    expect(deltas.length).toBeGreaterThan(3)
    expect(deltas.join('')).toBe(PICNIC.text)
    expect(choices[0]!.message.tool_calls).toEqual(functions)
    expect(usage).toMatchObject({ total_tokens: 160 })
  })

  test('give every chunk a choice to who did not ask for usage', async () => {
    const { chat } = clientOf(PICNIC)
    const stream = await chat.completions.create({ model, messages, stream: true })
    for await (const chunk of stream) expect(chunk.choices).toHaveLength(1)
  })

  test('say why they end where nobody said', async () => {
    const { chat } = clientOf(PLAIN)
    const { choices } = await chat.completions.stream({ model, messages }).finalChatCompletion()
    expect(choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'Hello, you.' } })
  })

  test('give a call an id that has none, the same at every run', async () => {
    const toolCalls = [{ name: 'weather', arguments: {} }]
    const ids = [1, 2].map(async () => {
      const { chat } = clientOf({ ...PLAIN, toolCalls })
      const { choices } = await chat.completions.create({ model, messages })
      expect(choices[0]!.finish_reason).toBe('tool_calls')
      return choices[0]!.message.tool_calls![0]!.id
    })
    const [one, other] = await Promise.all(ids)
    expect(one).toMatch(/^call_[0-9a-f]{24}$/)
    expect(other).toBe(one)
  })

  test('fail', async () => {
    const { chat } = clientOf(REFUSED)
    await expect(chat.completions.create({ model, messages })).rejects.toThrow('400 Too fast.')
    const stream = chat.completions.create({ model, messages, stream: true })
    await expect(stream).rejects.toThrow('400 Too fast.')
  })

  test('fail in the middle', async () => {
    const { chat } = clientOf({ ...PLAIN, error: 'Down.', incomplete: true })
    const stream = chat.completions.stream({ model, messages })
    await expect(stream.finalChatCompletion()).rejects.toThrow('Down.')
  })
})

describe('responses', () => {
  const completion = { ...PICNIC, finishReasons: ['completed'] }
  const functions = CALLS.map(({ id, ...call }) =>
    expect.objectContaining({ type: 'function_call', call_id: id, ...call }),
  )

  test('come at once', async () => {
    const response = await clientOf(completion).responses.create({ model, input: 'Dry?' })
    expect(response.output_text).toBe(PICNIC.text)
    expect(response.status).toBe('completed')
    expect(response.output.slice(2)).toEqual(functions)
    expect(response.output[0]).toMatchObject({ summary: [{ text: PICNIC.reasoning }] })
    expect(response.usage).toMatchObject({ input_tokens_details: { cached_tokens: 100 } })
  })

  test('come as a stream', async () => {
    const stream = clientOf(completion).responses.stream({ model, input: 'Dry?' })
    const deltas: string[] = []
    stream.on('response.output_text.delta', ({ delta }) => deltas.push(delta))
    const response = await stream.finalResponse()
    expect(deltas.length).toBeGreaterThan(3)
    expect(deltas.join('')).toBe(PICNIC.text)
    expect(response.output_text).toBe(PICNIC.text)
    expect(response.output.slice(2)).toEqual(functions)
    expect(response.usage).toMatchObject({ total_tokens: 160 })
  })

  test('say what left them incomplete', async () => {
    const { responses } = clientOf({ ...PLAIN, finishReasons: ['max_output_tokens'] })
    for (const response of [
      await responses.create({ model, input: 'Dry?' }),
      await responses.stream({ model, input: 'Dry?' }).finalResponse(),
    ]) {
      expect(response.status).toBe('incomplete')
      expect(response.incomplete_details).toEqual({ reason: 'max_output_tokens' })
    }
  })

  test('fail', async () => {
    const { responses } = clientOf(REFUSED)
    await expect(responses.create({ model, input: 'Dry?' })).rejects.toThrow('400 Too fast.')
    const broken = clientOf({ ...PLAIN, error: 'Down.', incomplete: true })
    const stream = broken.responses.stream({ model, input: 'Dry?' })
    await expect(stream.finalResponse()).rejects.toThrow('Down.')
  })
})

test('tokens are counted', async () => {
  const { responses } = clientOf({ ...PLAIN, text: '120 tokens' })
  expect(await responses.inputTokens.count({ model, input: 'Dry?' })).toMatchObject({
    input_tokens: 120,
  })
})

test.each(['float', 'base64'] as const)('embeddings come as %s', async (encoding_format) => {
  const completion = { ...PLAIN, text: '2 embeddings of 4 dimensions', usage: { inputTokens: 5 } }
  const { data, usage } = await clientOf(completion).embeddings.create({
    model,
    input: ['a', 'b'],
    encoding_format,
  })
  const numbers = data.map(({ embedding }) =>
    typeof embedding === 'string'
      ? [...new Float32Array(Uint8Array.from(Buffer.from(embedding, 'base64')).buffer)]
      : embedding,
  )
  expect(numbers).toEqual([
    [1, 0, 0, 0],
    [0, 1, 0, 0],
  ])
  expect(usage.prompt_tokens).toBe(5)
})
