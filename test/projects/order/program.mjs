import http from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { openCassette } from 'vitest-cassette/open-cassette'

const { UPSTREAM_URL = '', PACE } = process.env
const at = (path) => `${UPSTREAM_URL}/v1${path}`

async function send(method, path, body) {
  const init = body === undefined ? {} : { body: JSON.stringify(body) }
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(at(path), { method, headers, ...init })
  return response.text()
}

const chat = (content, more) => ({ model: 'gpt-5', messages: [{ role: 'user', content }], ...more })

const openai = new OpenAI({ apiKey: 'sk-none', baseURL: at(''), maxRetries: 0 })
const anthropic = new Anthropic({ apiKey: 'none', baseURL: UPSTREAM_URL, maxRetries: 0 })

/** Clients that ask a model, each of which gives the text of the answer. */
const clients = {
  fetch: async (content) =>
    JSON.parse(await send('POST', '/chat/completions', chat(content))).choices[0].message.content,
  http: (content) =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json' }
      const request = http.request(
        at('/chat/completions'),
        { method: 'POST', headers },
        (answer) => {
          let text = ''
          answer.on('data', (chunk) => (text += chunk))
          answer.on('end', () => resolve(JSON.parse(text).choices[0].message.content))
        },
      )
      request.on('error', reject)
      request.end(JSON.stringify(chat(content)))
    }),
  openai: async (content) =>
    (await openai.chat.completions.create(chat(content))).choices[0].message.content,
  streamed: async (content) => {
    let text = ''
    for await (const { choices } of await openai.chat.completions.create(
      chat(content, { stream: true }),
    ))
      text += choices[0].delta.content
    return text
  },
  anthropic: async (content) =>
    (
      await anthropic.messages.create({
        model: 'claude-5',
        max_tokens: 9,
        messages: [{ role: 'user', content }],
      })
    ).content[0].text,
}

const upload = '/uploads/upload_68/parts'
const thread = '/threads/thread_abc/messages'
const file = { input: [{ type: 'input_file', file_id: 'file-68' }] }

/** Steps one after the other; `swap` turns two of them about, and `parallel` sends them at once. */
const steps = {
  conversation: [
    () => send('POST', '/responses', { conversation: 'conv_68', input: 'a' }),
    () => send('POST', '/responses', { conversation: 'conv_68', input: 'b' }),
  ],
  thread: [
    () => send('POST', thread, { role: 'user', content: 'a' }),
    () => send('POST', thread, { role: 'user', content: 'b' }),
  ],
  deleted: [() => send('POST', '/responses', file), () => send('DELETE', '/files/file-68')],
  upload: [() => send('POST', upload, { data: 'a' }), () => send('POST', upload, { data: 'b' })],
  search: [
    () => send('POST', '/vector_stores/vs_68/files', { file_id: 'file-68' }),
    () => send('POST', '/responses', { tools: [{ vector_store_ids: ['vs_68'] }] }),
  ],
  cancelled: [
    () => send('POST', '/batches/batch_68/cancel'),
    () => send('GET', '/batches/batch_68'),
  ],
  chat: [
    () => send('POST', '/chat/completions', chat('a')),
    () => send('POST', '/chat/completions', chat('b')),
  ],
  embeddings: [
    () => send('POST', '/embeddings', { input: 'a' }),
    () => send('POST', '/embeddings', { input: 'b' }),
  ],
}

async function runSteps([first, second], variant) {
  if (variant === 'parallel') return Promise.all([first(), second()])
  if (variant === 'turned') return Promise.all([second(), first()])
  const [one, other] = variant === 'swap' ? [second, first] : [first, second]
  await one()
  return other()
}

/** Two models race; the winner's answer is in the next prompt. */
async function race(one, other) {
  const winner = await Promise.race([one('slow'), other('quick')])
  return clients.fetch(`the winner: ${winner}`)
}

/** Answers that come within some milliseconds of each other are in one prompt. */
async function batch(...contents) {
  const told = []
  let waiting = []
  let timer
  const flush = async () => {
    const texts = waiting
    waiting = []
    told.push(await clients.fetch(`seen: ${texts.join(', ')}`).catch(String))
  }
  await Promise.all(
    contents.map(async (content) => {
      waiting.push(await clients.fetch(content))
      clearTimeout(timer)
      timer = setTimeout(() => void flush(), 40)
    }),
  )
  await delay(800)
  return told
}

/** Each answer is in the prompt that follows it, as they come. */
async function asTheyCome(ask) {
  const seen = []
  await Promise.all(
    ['slow', 'middle', 'quick'].map(async (content) => seen.push(await ask(content))),
  )
  return clients.fetch(seen.join(', '))
}

const others = {
  'race by fetch': () => race(clients.fetch, clients.fetch),
  'race by an SDK': () => race(clients.openai, clients.openai),
  'race of two SDKs': () => race(clients.openai, clients.anthropic),
  'race of two SDKs, turned': () => race(clients.anthropic, clients.openai),
  'race of streams': () => race(clients.streamed, clients.streamed),
  'race by node:http': () => race(clients.http, clients.http),
  'as they come, by fetch': () => asTheyCome(clients.fetch),
  'as they come, by an SDK': () => asTheyCome(clients.openai),
  'as they come, streamed': () => asTheyCome(clients.streamed),
  'as they come, by node:http': () => asTheyCome(clients.http),
  batches: () => batch('quick', 'slow'),
}

const told = {}
for (const name of process.argv.slice(2)) {
  const [scenario, variant] = name.split(':')
  const path = `cassettes/${scenario.replaceAll(/\W+/g, '-')}.json`
  const hosts = [new URL(UPSTREAM_URL).host]
  const cassette = openCassette({ path, hosts, ...(PACE ? { pace: PACE } : {}) })
  let result
  try {
    result = await (steps[scenario] ? runSteps(steps[scenario], variant) : others[scenario]())
  } catch (error) {
    result = error.message
  }
  const closed = await cassette.close().then(
    () => ({}),
    ({ code, message }) => ({ code, message }),
  )
  told[name] = { result, ...closed }
}
console.log(JSON.stringify(told))
process.exit()
