import { expect, test } from 'vitest'
import { readIncoming, type Incoming } from '../../src/engine/incoming.ts'
import type { Session } from '../../src/engine/session.ts'
import { questionOf } from '../../src/conversation/step.ts'
import { requestTo } from '../providers/wire.ts'
import { openExample, question, recorded } from '../engine/example-session.ts'
import { askWritten, judged, says, writtenFile } from '../engine/written-file.ts'
import { promptFor } from '../../src/engine/read-prompt.ts'
import { expectGolden } from '../golden.ts'

const textOf = (session: Session, text: string): string | undefined =>
  askWritten(session, question(text))?.text

const toClaude = (text: string): Incoming =>
  readIncoming(
    requestTo('https://api.anthropic.com/v1/messages', {
      model: 'claude-sonnet-5',
      max_tokens: 9,
      messages: [{ role: 'user', content: [{ type: 'text', text }] }],
    }),
  )

test('nothing can be written in a format that is not known, and the miss says so', async () => {
  const incoming = readIncoming(
    requestTo('https://api.openai.com/v1/images/generations', { prompt: 'A hat' }),
  )
  const session = openExample(writtenFile(says('A hat', 'No.')))
  expect(askWritten(session, incoming)).toBeUndefined()
  const { headline, details } = judged(session).failure!
  expect(headline).toContain('exchange-1')
  const advice = details.split('\n\n').at(-1)!
  expect(advice).toContain('POST https://api.openai.com')
  await expectGolden(`${headline}\n\n${advice}`, 'unknown-format')
})

test('one file answers clients of two providers', () => {
  const session = openExample(writtenFile(says('Hello?', 'Hi.'), says('Hello?', 'Hi again.')))
  expect(askWritten(session, toClaude('Hello?'))!.text).toBe('Hi.')
  expect(textOf(session, 'Hello?')).toBe('Hi again.')
  expect(judged(session)).toEqual({})
})

test('of exchanges with one text each answers once, in their order, the last one for ever by option', async () => {
  const file = (): ReturnType<typeof writtenFile> => writtenFile(says('a', 'one'), says('a', 'two'))
  const strict = openExample(file())
  expect(['a', 'a', 'a'].map((text) => textOf(strict, text))).toEqual(['one', 'two', undefined])
  const { headline, details } = judged(strict).failure!
  expect(headline).toContain(': 2 of 2 ')
  const advice = details.split('\n\n').at(-1)!
  expect(advice).toMatch(/ __recordings__\/.*\n.* repeats: 'last'/)
  await expectGolden(advice, 'asked-too-often')
  const repeating = openExample(file(), { repeats: 'last' })
  expect(['a', 'a', 'a'].map((text) => textOf(repeating, text))).toEqual(['one', 'two', 'two'])
})

test('what was recorded goes before what is written, wherever it stands', () => {
  const { exchanges } = recorded([question('a'), 'recorded'])
  const cassette = writtenFile(says('a', 'written'), says('b', 'other'))
  const session = openExample({ ...cassette, exchanges: [...cassette.exchanges, ...exchanges] })
  expect(['a', 'a', 'b', 'a'].map((text) => textOf(session, text))).toEqual([
    'recorded',
    'written',
    'other',
    undefined,
  ])
})

test('white space at the ends of lines does not count, every other character does', () => {
  const open = (): Session => openExample(writtenFile(says('One. \r\nTwo.\n', 'Yes.')))
  expect(textOf(open(), 'One.\nTwo.')).toBe('Yes.')
  for (const text of [
    'One.\n\nTwo.',
    'One. Two.',
    ' One.\nTwo.',
    'one.\nTwo.',
    'One.\nTwo. Three.',
  ])
    expect(textOf(open(), text), text).toBeUndefined()
})

test('the last thing a user said is what counts: pictures and results of calls beside it do not', () => {
  const image = { type: 'image', source: { type: 'url', url: 'https://x.test/a.png' } }
  const result = { type: 'tool_result', tool_use_id: 't', content: 'Rain.' }
  const use = { type: 'tool_use', id: 't', name: 'weather', input: {} }
  const messages = [
    { role: 'user', content: 'Before?' },
    { role: 'assistant', content: 'Yes.' },
    { role: 'user', content: [image, { type: 'text', text: 'Hat?' }] },
    { role: 'assistant', content: [use] },
    { role: 'user', content: [result] },
  ]
  const body = { model: 'claude-sonnet-5', max_tokens: 9, messages }
  const incoming = readIncoming(requestTo('https://api.anthropic.com/v1/messages', body))
  expect(questionOf(promptFor(incoming))).toBe('Hat?')
  expect(askWritten(openExample(writtenFile(says('Hat?', 'Yes.'))), incoming)!.text).toBe('Yes.')
  expect(askWritten(openExample(writtenFile(says('Before?', 'Yes.'))), incoming)).toBeUndefined()
})

test('an answer in words is not given to what is answered with figures', () => {
  const count = readIncoming(
    requestTo('https://api.anthropic.com/v1/messages/count_tokens', {
      model: 'claude-sonnet-5',
      messages: [{ role: 'user', content: 'Hello?' }],
    }),
  )
  const session = openExample(writtenFile(says('Hello?', 'Hi.')))
  expect(askWritten(session, count)).toBeUndefined()
  expect(judged(session).failure!.headline).toContain('operation')
})

test('metadata narrows down who is answered', () => {
  const exchange = (model: string, text: string): object => ({
    prompt: { text: 'Hello?', metadata: { model } },
    response: { text },
  })
  const file = writtenFile(exchange('claude-sonnet-5', 'Claude.'), exchange('gpt-5', 'GPT.'))
  const session = openExample(file)
  expect(textOf(session, 'Hello?')).toBe('GPT.')
  expect(askWritten(session, toClaude('Hello?'))!.text).toBe('Claude.')
  expect(textOf(openExample(writtenFile(exchange('gpt-4', ''))), 'Hello?')).toBeUndefined()
})

test('a field of the metadata that no format knows is a note, and a known one that is not asked counts', () => {
  const exchange = (metadata: object): object => ({
    prompt: { text: 'Hello?', metadata },
    response: { text: 'Hi.' },
  })
  const answerTo = (metadata: object): string | undefined =>
    textOf(openExample(writtenFile(exchange(metadata))), 'Hello?')
  expect(answerTo({ session: 'a7', cost_center: 12, other_params: { tier: 'gold' } })).toBe('Hi.')
  for (const metadata of [{ temperature: 0.7 }, { maxTokens: 9 }, { num_predict: 9 }, { seed: 1 }])
    expect(answerTo({ session: 'a7', ...metadata })).toBeUndefined()
})

test('a hash decides where there is one', () => {
  const { hash } = question('Hello?')
  const exchange = (hash: string): object => ({
    prompt: { text: 'Whatever a person wants to call it', hash },
    response: { text: 'Hi.' },
  })
  expect(textOf(openExample(writtenFile(exchange(hash))), 'Hello?')).toBe('Hi.')
  expect(textOf(openExample(writtenFile(exchange(hash))), 'Hello!')).toBeUndefined()
})

test('a wrong hash is a miss that shows both hashes and both texts, and what to correct', async () => {
  const hash = `sha256-${'0'.repeat(64)}`
  const session = openExample(
    writtenFile({ prompt: { text: 'Hello?', hash }, response: { text: 'Hi.' } }),
  )
  expect(textOf(session, 'Hello?')).toBeUndefined()
  const { code, headline, details } = judged(session).failure!
  expect(code).toBe('miss')
  expect(headline).toContain('exchange-1')
  expect(details).toMatch(/closest +exchange-1, /)
  expect(details).toContain(`${hash} "Hello?"`)
  expect(details).toContain(`${question('Hello?').hash} "Hello?"`)
  const advice = details.split('\n\n').at(-1)!
  expect(advice).toMatch(/ exchange-1 in __recordings__\//)
  await expectGolden(`${headline}\n\n${advice}`, 'wrong-hash')
})

test('another text is a miss that shows the words that changed', async () => {
  const session = openExample(
    writtenFile(says('Where is my hat?', 'Here.'), says('Where is order 7?', 'In Bern.')),
  )
  expect(textOf(session, 'Where is order 8?')).toBeUndefined()
  const { code, details, missed } = judged(session).failure!
  expect(code).toBe('miss')
  expect(missed![0]).toMatchObject({
    exchange: 'exchange-2',
    changes: [{ before: '7?', after: '8?' }],
  })
  expect(details).toMatch(/closest +exchange-2, 1 change away/)
  expect(details).toMatch(/order.*7/)
  const advice = details.split('\n\n').at(-1)!
  expect(advice).toContain('exchange-2')
  await expectGolden(advice, 'other-text')
})

test('exchanges that are not asked for are named, with the way out that keeps what was written', async () => {
  const session = openExample(writtenFile(says('a', 'one'), says('b', 'two')))
  textOf(session, 'a')
  const { code, details } = judged(session).failure!
  expect(code).toBe('unused')
  expect(details).toContain('exchange-2 · "b"')
  const advice = details.split('\n\n').at(-1)!
  expect(advice).not.toMatch(/RECORD|vitest-cassette/)
  await expectGolden(advice, 'unused')
})

test('a recorded request whose answer was taken out is answered as its text says', () => {
  const cassette = recorded([question('a'), 'recorded'])
  const [exchange] = cassette.exchanges
  const request = exchange!.wire!.request
  cassette.exchanges = [{ ...exchange!, response: { text: 'corrected' }, wire: { request } }]
  expect(textOf(openExample(cassette), 'a')).toBe('corrected')
  expect(textOf(openExample(cassette), 'b')).toBeUndefined()
})

test('how an answer ends, what it took and where it stops are as written', () => {
  const response = {
    text: 'So long',
    reasoning: 'Why?',
    finish_reasons: ['length'],
    usage: { input_tokens: 3, output_tokens: 2, cache_read_input_tokens: 1 },
  }
  expect(askWritten(openExample(writtenFile(says('a', response))), question('a'))).toEqual({
    text: 'So long',
    reasoning: 'Why?',
    toolCalls: [],
    finishReasons: ['length'],
    usage: { inputTokens: 3, outputTokens: 2, cacheReadInputTokens: 1 },
  })
  const cut = openExample(writtenFile(says('a', { text: 'So', incomplete: true })))
  expect(askWritten(cut, question('a', { stream: true }))).toMatchObject({
    text: 'So',
    incomplete: true,
  })
})
