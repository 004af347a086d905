import { expect, test } from 'vitest'
import { readContext } from '../../src/conversation/context-file.ts'
import { readIncoming, type Incoming } from '../../src/engine/incoming.ts'
import { cassetteOfContext } from '../../src/recording/context-cassette.ts'
import type { JsonObject } from '../../src/json/json-value.ts'
import { requestTo } from '../providers/wire.ts'
import { openExample } from '../engine/example-session.ts'
import { askWritten, judged } from '../engine/written-file.ts'

const SYSTEM = 'You help a team to find lunch.'
const QUESTION = 'Where do we eat?'
const FOUND = 'Here: 1) the market, 2) the canteen'

const said = (result?: string): object[] => [
  { role: 'system', content: SYSTEM },
  { role: 'user', content: { userid: '<@U7>', text: QUESTION } },
  { role: 'assistant', content: { toolCall: 'history', ascending: false, reasoning: 'a', result } },
  { role: 'assistant', content: { toolCall: 'postMessage', text: FOUND, reasoning: 'b' } },
  { role: 'user', content: { userid: '<@U7>', text: 'And tomorrow?' } },
  { role: 'assistant', content: 'The same.' },
]

/** A cassette of what was said, in turns as the description counts them. */
function contextOf(entries: object[], metadata: object = {}): ReturnType<typeof cassetteOfContext> {
  let turn = 0
  let isAsked = false
  const context = entries.map((entry, index) => {
    const { role } = entry as { role: string }
    if (role === 'assistant' && isAsked) turn++
    isAsked = role === 'user'
    return { index, turn, timestamp: '2026-01-01T00:00:00Z', ...entry }
  })
  const read = readContext(JSON.stringify(context), 'talk.json')
  return cassetteOfContext(read, 'a.test.ts > asks', metadata)
}

const call = (id: string, name: string, args: object): JsonObject => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(args) },
})

/** The requests of an application that sends tools, names and results which the file does not tell. */
function chatRequests(change: (text: string) => string = (text) => text): Incoming[] {
  const messages = [
    { role: 'system', content: SYSTEM },
    { role: 'user', name: 'U7', content: QUESTION },
    { role: 'assistant', content: null, tool_calls: [call('1', 'history', { ascending: false })] },
    { role: 'tool', tool_call_id: '1', content: 'Nothing was said.' },
    { role: 'assistant', content: null, tool_calls: [call('2', 'postMessage', { text: FOUND })] },
    { role: 'tool', tool_call_id: '2', content: 'Posted.' },
    { role: 'user', name: 'U7', content: 'And tomorrow?' },
  ]
  const tools = [{ type: 'function', function: { name: 'history' } }]
  const body = { model: 'gpt-5', temperature: 0.2, tools }
  return [2, 4, 7].map((count) => {
    const text = change(JSON.stringify({ ...body, messages: messages.slice(0, count) }))
    const url = 'https://api.openai.com/v1/chat/completions'
    return readIncoming(requestTo(url, JSON.parse(text) as JsonObject))
  })
}

function claudeRequests(): Incoming[] {
  const use = (id: string, name: string, input: object): object => ({
    role: 'assistant',
    content: [{ type: 'tool_use', id, name, input }],
  })
  const result = (id: string, content: string): object => ({
    type: 'tool_result',
    tool_use_id: id,
    content,
  })
  const messages = [
    { role: 'user', content: QUESTION },
    use('t1', 'history', { ascending: false }),
    { role: 'user', content: [result('t1', 'Nothing was said.')] },
    use('t2', 'postMessage', { text: FOUND }),
    { role: 'user', content: [result('t2', 'Posted.'), { type: 'text', text: 'And tomorrow?' }] },
  ]
  const tools = [{ name: 'history', input_schema: { type: 'object' } }]
  return [1, 3, 5].map((count) =>
    readIncoming(
      requestTo('https://api.anthropic.com/v1/messages', {
        model: 'claude-sonnet-5',
        max_tokens: 100,
        system: SYSTEM,
        tools,
        messages: messages.slice(0, count),
      } as JsonObject),
    ),
  )
}

function responsesRequests(): Incoming[] {
  const called = (id: string, name: string, args: object): object => ({
    type: 'function_call',
    call_id: id,
    name,
    arguments: JSON.stringify(args),
  })
  const output = (id: string, output: string): object => ({
    type: 'function_call_output',
    call_id: id,
    output,
  })
  const input = [
    { role: 'user', content: [{ type: 'input_text', text: QUESTION }] },
    called('c1', 'history', { ascending: false }),
    output('c1', 'Nothing was said.'),
    called('c2', 'postMessage', { text: FOUND }),
    output('c2', 'Posted.'),
    { role: 'user', content: 'And tomorrow?' },
  ]
  return [1, 3, 6].map((count) => {
    const body = { model: 'gpt-5', instructions: SYSTEM, input: input.slice(0, count) }
    const url = 'https://api.openai.com/v1/responses'
    return readIncoming(requestTo(url, body as unknown as JsonObject))
  })
}

function geminiRequests(): Incoming[] {
  const calls = (name: string, args: object): object => ({
    role: 'model',
    parts: [{ functionCall: { name, args } }],
  })
  const result = (name: string, result: string): object => ({
    functionResponse: { name, response: { result } },
  })
  const contents = [
    { role: 'user', parts: [{ text: QUESTION }] },
    calls('history', { ascending: false }),
    { role: 'user', parts: [result('history', 'Nothing was said.')] },
    calls('postMessage', { text: FOUND }),
    { role: 'user', parts: [result('postMessage', 'Posted.'), { text: 'And tomorrow?' }] },
  ]
  const systemInstruction = { parts: [{ text: SYSTEM }] }
  return [1, 3, 5].map((count) => {
    const url = 'https://generativelanguage.googleapis.com/v1beta/models/gemini-3:generateContent'
    const body = { systemInstruction, contents: contents.slice(0, count) }
    return readIncoming(requestTo(url, body as unknown as JsonObject))
  })
}

test.each([
  ['chat completions', chatRequests],
  ['messages', claudeRequests],
  ['responses', responsesRequests],
  ['generateContent', geminiRequests],
])('an application that sends tools, names and results is answered, over %s', (_, requests) => {
  const session = openExample(contextOf(said()))
  const answers = requests().map((request) => askWritten(session, request))
  expect(answers.map((one) => one && [one.text, one.toolCalls[0]?.arguments])).toEqual([
    ['', { ascending: false }],
    ['', { text: FOUND }],
    ['The same.', undefined],
  ])
  expect(judged(session)).toEqual({})
})

test.for<[what: string, from: string, to: string, shown: string]>([
  ['the instructions', SYSTEM, 'You help nobody.', 'nobody'],
  ['a question', QUESTION, 'Where do we drink?', 'drink'],
  ['the name of a user', '"U7"', '"U8"', 'U8'],
  ['what a call in the history was given', 'false', 'true', 'true'],
  ['an answer in the history', 'the canteen', 'the bakery', 'bakery'],
  ['a message more', '{"role":"user"', '{"role":"user","content":"Hm."},{"role":"user"', 'Hm.'],
])('%s that changed is a miss that shows it', ([, from, to, shown]) => {
  const session = openExample(contextOf(said()))
  const change = (text: string): string => text.replaceAll(from, to).replaceAll(`\\"${from}`, to)
  const answers = chatRequests(change).map((request) => askWritten(session, request))
  expect(answers).toContain(undefined)
  const { code, details } = judged(session).failure!
  expect(code).toBe('miss')
  expect(details).toContain(shown)
  expect(details).toContain('context of exchange-')
})

test.for<[what: string, from: string, to: string, shown: string[]]>([
  ['a question', QUESTION, 'Where do we drink?', [`- ${QUESTION}`, '+ Where do we drink?']],
  ['the name of a user', '"U7"', '"U8"', ['- <@U7>', '+ U8']],
  ['a result', 'Nothing was said.', 'All was said.', ['- Nothing was said.', '+ All was said.']],
  ['a parameter', 'false', 'true', ['- false', '+ true']],
  ['words beside a call', '"content":null,', '"content":"Let me look.",', ['+ Let me look.']],
  ['another call', '"name":"history"', '"name":"search"', ['- history', '+ search']],
])('of %s that changed, the difference is all that a miss shows', ([, from, to, shown]) => {
  const session = openExample(contextOf(said('Nothing was said.')))
  const change = (text: string): string => text.replaceAll(from, to)
  for (const request of chatRequests(change)) if (!askWritten(session, request)) break
  const { details } = judged(session).failure!
  const lines = details.split('\n').filter((line) => /^ +[-+] /.test(line))
  expect(lines.map((line) => line.trim())).toEqual(shown)
})

test('the result of a call counts where the file tells it', () => {
  const asks = (result: string): unknown[] => {
    const session = openExample(contextOf(said(result)))
    return chatRequests().map((request) => askWritten(session, request)?.text)
  }
  expect(asks('Nothing was said.')).not.toContain(undefined)
  expect(asks('Something was said.')).toContain(undefined)
})

test('instructions count only where the file has some', () => {
  const first = (entries: object[]): unknown =>
    askWritten(openExample(contextOf(entries)), chatRequests()[0]!)
  expect(first(said().slice(1))).toBeDefined()
  expect(first([{ role: 'system', content: 'Be kind.' }, ...said().slice(1)])).toBeUndefined()
})

test('instructions in the middle count there, where a format has room for them', () => {
  const brief = { role: 'system', content: 'Be brief now.' }
  const [system, question, ...rest] = said()
  const entries = [system!, question!, { role: 'assistant', content: 'Soon.' }, brief, ...rest]
  const parts = [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: QUESTION },
    { role: 'assistant', content: 'Soon.' },
    brief,
  ]
  const ask = (order: number[]): unknown => {
    const session = openExample(contextOf(entries))
    const request = (places: number[]): Incoming => {
      const messages = places.map((place) => parts[place]!)
      const url = 'https://api.openai.com/v1/chat/completions'
      return readIncoming(requestTo(url, { model: 'gpt-5', messages } as unknown as JsonObject))
    }
    expect(askWritten(session, request([0, 1]))).toBeDefined()
    return askWritten(session, request(order))
  }
  expect(ask([0, 1, 2, 3])).toBeDefined()
  expect(ask([0, 3, 1, 2])).toBeUndefined()
  expect(ask([3, 0, 1, 2])).toBeUndefined()
})

test('a model and a provider count where the import names them', () => {
  const first = (metadata: object): unknown =>
    askWritten(openExample(contextOf(said(), metadata)), chatRequests()[0]!)
  expect(first({ model: 'gpt-5', provider: 'openai' })).toBeDefined()
  expect(first({ model: 'gpt-4' })).toBeUndefined()
  expect(first({ provider: 'anthropic' })).toBeUndefined()
})

/** A question as applications send it that tell the model who asks. */
const asked = (text: string, user = '<@U7>'): Array<[how: string, message: JsonObject]> => [
  ['a name without its marks', { name: user.replace(/\W/g, ''), content: text }],
  ['a name with _ for each mark', { name: user.replace(/\W/g, '_'), content: text }],
  ['a mention and a colon', { content: `${user}: ${text}` }],
  ['a mention in brackets', { content: `[${user}] ${text}` }],
  ['the content of the entry', { content: JSON.stringify({ userid: user, text }) }],
  [
    'the whole entry',
    {
      content: JSON.stringify({
        index: 1,
        turn: 0,
        timestamp: '2026-02-02T00:00:00Z',
        role: 'user',
        content: { userid: user, text },
      }),
    },
  ],
]

function askedBy(message: JsonObject): Incoming {
  const messages = [
    { role: 'system', content: SYSTEM },
    { role: 'user', ...message },
  ]
  const body = {
    model: 'gpt-5',
    messages,
    tools: [{ type: 'function', function: { name: 'history' } }],
  }
  return readIncoming(requestTo('https://api.openai.com/v1/chat/completions', body as JsonObject))
}

test.for(asked(QUESTION))('%s tells the user of a context', ([, message]) => {
  const session = openExample(contextOf(said()))
  expect(askWritten(session, askedBy(message))?.toolCalls[0]?.name).toBe('history')
})

test.for([...asked(QUESTION, '<@U8>'), ...asked('Where do we drink?')])(
  '%s of another user, or with another text, is refused',
  ([, message]) => {
    const session = openExample(contextOf(said()))
    expect(askWritten(session, askedBy(message))).toBeUndefined()
  },
)

test('an application that sends the entries of a context as they are is answered', () => {
  const session = openExample(contextOf(said()))
  const entries = said() as Array<{ role: string; content: unknown }>
  const messages = entries.map(({ role, content }) => ({
    role,
    content: typeof content === 'string' ? content : JSON.stringify(content),
  }))
  const answers = [2, 3, 5].map((count) => {
    const body = { model: 'gpt-5', messages: messages.slice(0, count) }
    const url = 'https://api.openai.com/v1/chat/completions'
    return askWritten(session, readIncoming(requestTo(url, body as JsonObject)))
  })
  expect(answers.map((one) => one && (one.toolCalls[0]?.name ?? one.text))).toEqual([
    'history',
    'postMessage',
    'The same.',
  ])
})
