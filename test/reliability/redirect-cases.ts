import { cassettePath } from '../../src/cassette/paths.ts'
import type { CassetteStore } from '../../src/cassette/store.ts'
import { describeTurns, type Turn } from '../../src/recording/describe.ts'
import { readIncoming } from '../../src/engine/incoming.ts'
import { keptUrl } from '../../src/secrets/wire-request.ts'
import { readText } from '../../src/wire/body.ts'
import type { WireRequest, WireResponse } from '../../src/wire/message.ts'

/** A test whose first recorded answer leads elsewhere. */
export interface RedirectCase {
  title: string
  client: string
  url: string
  body: object
  status: number
  location?: string
  /** What the first answer says. */
  says?: object
  /** What the second answer says, where one is recorded. */
  answer?: string
}

/** Where the second answer is recorded, when it is. */
const ELSEWHERE = 'https://files.example.org/abc?part=1'

const OPENAI = 'https://api.openai.com/v1/chat/completions'
const ANTHROPIC = 'https://api.anthropic.com/v1/messages'
const REPLICATE = 'https://api.replicate.com/v1/models/meta/llama/predictions'

const messages = [{ role: 'user', content: 'Where is my order?' }]

const CLIENTS = [
  'fetch',
  'fetch of a Request',
  'fetch, by hand',
  'undici',
  'undici request',
  'axios',
  'got',
  'node-fetch',
  'node:http',
  'HTTP2',
  'OpenAI',
  'Anthropic',
]

/** What they ask at, where that is no chat. */
const PATHS: Record<string, string> = { Anthropic: 'messages', poll: 'images/generations' }

/** Those that refuse by themselves to go to an address with a password in it. */
const WARY = CLIENTS.filter((client) => /fetch|^undici$|OpenAI|Anthropic/.test(client))

/** Every client at every way to a thief on a port of this machine. */
export function thievishCases(port: number): RedirectCase[] {
  const thief = `http://127.0.0.1:${port}`
  const led = ([status, location]: [number, string]): RedirectCase[] =>
    CLIENTS.filter((client) => !(location.includes('@') && WARY.includes(client))).map((client) =>
      follow(client, status, location),
    )
  const gateway = { ...follow('fetch', 307, '/other'), url: `${thief}/v1/chat/completions` }
  const poll = { title: '', client: 'poll', url: REPLICATE, body: { input: { prompt: 'Hello' } } }
  return [
    ...[301, 302, 303, 307, 308].map((status): [number, string] => [status, `${thief}/stolen`]),
    [307, `${thief}/v1/chat/completions`] as [number, string],
    [307, `http://localhost:${port}/`] as [number, string],
    [307, `http://user:password@127.0.0.1:${port}/stolen?a=b#c`] as [number, string],
    [307, `//127.0.0.1:${port}/stolen`] as [number, string],
    [308, `http://2130706433:${port}`] as [number, string],
    [308, `http:\\\\127.0.0.1:${port}\\stolen`] as [number, string],
    [307, 'https://api.smith.langchain.com/stolen'] as [number, string],
  ]
    .flatMap(led)
    .concat(
      ['fetch', 'axios', 'node:http', 'got'].map((client) => ({ ...gateway, client })),
      follow('node:net', 307, `${thief}/stolen`),
      { ...poll, status: 201, location: `${thief}/job`, says: {} },
      { ...poll, status: 201, says: { id: 'a', urls: { get: `${thief}/v1/predictions/a` } } },
    )
    .map((one) => ({ ...one, title: titleOf(one) }))
}

/** Every client at a redirect that was recorded with what it leads to. */
export function recordedCases(): RedirectCase[] {
  const statuses = [303, 307]
  return statuses
    .flatMap((status) => CLIENTS.map((client) => follow(client, status, ELSEWHERE)))
    .map((one) => ({ ...one, title: `recorded: ${titleOf(one)}`, answer: 'It is on its way.' }))
}

/** Every client at an API whose answers lead to another host, to be recorded. */
export function liveCases(api: string): RedirectCase[] {
  const answer = 'It is on its way.'
  const jobs = [201, 202].map((status) => ({ ...follow('poll', status, ''), status }))
  return [303, 307]
    .flatMap((status) => CLIENTS.map((client) => follow(client, status, '')))
    .concat(jobs)
    .map((one) => {
      const path = PATHS[one.client] ?? 'chat/completions'
      const url = `${api}/${one.status}/v1/${path}`
      return { ...one, title: `${one.client}: ${one.status}`, url, answer }
    })
}

/** Writes the cassettes of cases; returns where each is. */
export async function saveCases(
  store: CassetteStore,
  file: string,
  cases: readonly RedirectCase[],
): Promise<string[]> {
  const paths: string[] = []
  for (const { title, client, url, body, status, location, says, answer } of cases) {
    // What its SDK sends of the headers that count; it goes along wherever it is led.
    const sent = client === 'Anthropic' ? { headers: { 'anthropic-version': '2023-06-01' } } : {}
    const asked = { method: 'POST', url, ...sent, body: readText(JSON.stringify(body)) }
    const headers = { 'content-type': 'application/json', ...(location ? { location } : {}) }
    const first = { status, headers, body: readText(JSON.stringify(says ?? { moved: true })) }
    const turns = [turn(asked, first)]
    if (answer !== undefined) {
      const next: WireRequest =
        status === 303
          ? { method: 'GET', url: keptUrl(ELSEWHERE), ...sent, body: { kind: 'empty' } }
          : { ...asked, url: keptUrl(ELSEWHERE) }
      const headers = { 'content-type': 'text/plain' }
      turns.push(turn(next, { status: 200, headers, body: readText(answer) }))
    }
    const path = cassettePath({ file, titles: [title], ordinal: 0 })
    await store.save(path, {
      conversationId: `${file} > ${title}`,
      timestamp: '2026-01-01T00:00:00.000Z',
      exchanges: describeTurns(turns),
    })
    paths.push(path)
  }
  return paths
}

function follow(client: string, status: number, location: string): RedirectCase {
  const isAnthropic = client === 'Anthropic'
  const body = isAnthropic
    ? { model: 'claude-sonnet-4-5', max_tokens: 9, messages }
    : { model: 'gpt-5', messages }
  return { title: '', client, url: isAnthropic ? ANTHROPIC : OPENAI, body, status, location }
}

function titleOf({ client, url, status, location, says }: RedirectCase): string {
  const to = location ?? JSON.stringify(says)
  return `${client} of ${new URL(url).host}: ${status} to ${to}`.replaceAll(/:\d{4,5}\b/g, ':port')
}

function turn(wire: WireRequest, response: WireResponse): Turn {
  return { incoming: readIncoming(wire), response }
}
