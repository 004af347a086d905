import { expect, test } from 'vitest'
import { collect, openai } from './clients.ts'
import { redSquare } from './red-square.ts'
import { keep } from '../keep.ts'

const user = (content: string): { role: 'user'; content: string } => ({ role: 'user', content })

test('chat', async () => {
  const plain = { model: 'gpt-5', temperature: 0, messages: [user('How are you?')] }
  // The same request with its keys the other way round.
  const reversed = Object.fromEntries(Object.entries(plain).reverse()) as typeof plain
  keep(
    'chat',
    await openai.chat.completions.create(process.env.REVERSED === '1' ? reversed : plain),
  )
})

test('chat stream', async () => {
  const stream = await openai.chat.completions.create({
    model: 'gpt-5',
    messages: [user('Tell me a long story')],
    stream: true,
    stream_options: { include_usage: true },
  })
  keep('chat-stream', await collect(stream))
})

test('tool calls', async () => {
  const question = user('Where is my order?')
  const tools = [{ type: 'function' as const, function: { name: 'look_up', parameters: {} } }]
  const first = await openai.chat.completions.create({
    model: 'gpt-5',
    messages: [question],
    tools,
  })
  const { message } = first.choices[0]!
  const second = await openai.chat.completions.create({
    model: 'gpt-5',
    messages: [
      question,
      message,
      { role: 'tool', tool_call_id: message.tool_calls![0]!.id, content: 'It is in Bern.' },
    ],
    tools,
  })
  keep('tool-calls', [first, second])
})

test('tool call streamed', async () => {
  const stream = openai.chat.completions.stream({
    model: 'gpt-5',
    messages: [user('Where is my parcel?')],
    tools: [{ type: 'function', function: { name: 'look_up', parameters: {} } }],
  })
  keep('tool-call-streamed', await stream.finalChatCompletion())
})

test('an image asked about twice', async () => {
  const content = [
    { type: 'text' as const, text: 'What is this?' },
    { type: 'image_url' as const, image_url: { url: `data:image/png;base64,${redSquare()}` } },
  ]
  const answers = [
    await openai.chat.completions.create({ model: 'gpt-5', messages: [{ role: 'user', content }] }),
    await openai.chat.completions.create({ model: 'gpt-4', messages: [{ role: 'user', content }] }),
  ]
  expect(answers[0]!.choices[0]!.message.content).toContain('What is this?')
  keep('image', answers)
})

test('reasoning', async () => {
  const answers = [
    await openai.chat.completions.create({ model: 'gpt-5', messages: [user('Think.')] }),
    await openai.responses.create({ model: 'gpt-5', input: 'Think.' }),
  ]
  keep('reasoning', answers)
})

test('structured output', async () => {
  const json_schema = { name: 'weather', schema: { type: 'object' } }
  const answers = [
    await openai.chat.completions.create({
      model: 'gpt-5',
      messages: [user('The weather as JSON')],
      response_format: { type: 'json_schema', json_schema },
    }),
    await openai.responses.create({
      model: 'gpt-5',
      input: 'The weather as JSON',
      text: { format: { type: 'json_schema', ...json_schema } },
    }),
  ]
  keep('structured-output', answers)
})

test('responses stream', async () => {
  const stream = await openai.responses.create({
    model: 'gpt-5',
    instructions: 'Be kind.',
    input: 'Tell me a long story',
    stream: true,
  })
  keep('responses-stream', await collect(stream))
})

test('embeddings', async () => {
  const input = ['one', 'two']
  keep('embeddings', [
    await openai.embeddings.create({ model: 'text-embedding-3-small', input }),
    await openai.embeddings.create({
      model: 'text-embedding-3-small',
      input,
      encoding_format: 'float',
    }),
  ])
})
