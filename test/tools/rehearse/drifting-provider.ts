import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Cassette } from '../../../src/cassette/cassette.ts'
import { readIncoming } from '../../../src/engine/incoming.ts'
import { describeTurns } from '../../../src/recording/describe.ts'
import type { JsonObject } from '../../../src/json/json-value.ts'
import { readText } from '../../../src/wire/body.ts'

/** What a chat model says. */
export interface Said {
  content?: string
  refusal?: string
  calls?: Array<[name: string, given: JsonObject]>
  finish?: string
  /** An error in the place of an answer. */
  status?: number
  headers?: Record<string, string>
  /** Milliseconds. */
  after?: number
}

/** A request, as the provider has seen it. */
export interface Seen {
  path: string
  headers: Record<string, string | string[] | undefined>
  body: JsonObject & { messages: Array<{ content: string | Array<{ text: string }> }> }
}

/** How prompts are answered when they are recorded. */
const RECORDED: Record<string, Said> = {
  weather: { calls: [['weather', { city: 'Rome', unit: 'C' }]] },
  both: {
    calls: [
      ['weather', { city: 'Rome' }],
      ['weather', { city: 'Oslo' }],
    ],
  },
  order: { content: '{"id":7,"state":"sent","items":[{"sku":"a","count":1}]}' },
  mood: { content: '{"mood":"good","why":"They thank us."}' },
  hello: { content: 'Good morning!' },
  joke: { content: 'A horse walks into a bar.' },
  story: { content: 'Once upon a time.' },
}

/** What it says from a day on to one prompt: always, or by how often that was asked before; where there is none, as recorded. */
export type Drift = Said | Array<Said | null>

/** A provider that counts what it is asked, and says something else from a day on. */
export class DriftingProvider implements AsyncDisposable {
  readonly seen: Seen[] = []
  /** What it says now, by prompt; called with how often that was asked before. */
  drift: Record<string, (before: number) => Said | undefined> = {}
  readonly #server: Server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      const body = JSON.parse(text) as Seen['body']
      const asked = promptOf(body)
      const before = this.seen.filter((one) => promptOf(one.body) === asked).length
      this.seen.push({ path: request.url!, headers: request.headers, body })
      const said = this.drift[asked]?.(before) ??
        RECORDED[asked] ?? { content: `You say ${asked}.` }
      const { status = 200, headers = {}, after = 0 } = said
      setTimeout(() => {
        response.writeHead(status, { 'content-type': 'application/json', ...headers })
        const write = request.url!.endsWith('/messages') ? messageOf : chatOf
        response.end(
          JSON.stringify(status < 300 ? write(said) : { error: { message: said.content } }),
        )
      }, after)
    })
  })

  static async start(): Promise<DriftingProvider> {
    const provider = new DriftingProvider()
    provider.#server.listen(0, '127.0.0.1')
    await once(provider.#server, 'listening')
    return provider
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1/chat/completions`
  }

  /** What a test recorded that asked these, before anything drifted. */
  record(test: string, prompts: readonly string[], more: JsonObject = {}): Cassette {
    return recordedFrom(this.url, test, prompts, more)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}

/** What a test recorded that asked these of a provider at an address, before it drifted. */
export function recordedFrom(
  url: string,
  test: string,
  prompts: readonly string[],
  more: JsonObject = {},
): Cassette {
  const turns = prompts.map((text) => {
    const body = { model: 'gpt-5', messages: [{ role: 'user', content: text }], ...more }
    const incoming = readIncoming({
      method: 'POST',
      url,
      body: readText(JSON.stringify(body)),
    })
    const said = RECORDED[text] ?? { content: `You say ${text}.` }
    const headers = { 'content-type': 'application/json' }
    const response = { status: 200, headers, body: readText(JSON.stringify(chatOf(said))) }
    return { incoming, response, durationMs: 1_000 }
  })
  return {
    conversationId: test,
    timestamp: '2026-01-02T03:04:05.000Z',
    exchanges: describeTurns(turns),
  }
}

function promptOf({ messages }: Seen['body']): string {
  const { content } = messages.at(-1)!
  return typeof content === 'string' ? content : content[0]!.text
}

function chatOf({ content, refusal, calls = [], finish }: Said): JsonObject {
  const tool_calls = calls.map(([name, given], index) => ({
    id: `call_${Math.random()}_${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(given) },
  }))
  return {
    id: `chatcmpl-${Math.random()}`,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: content ?? null,
          refusal: refusal ?? null,
          ...(calls.length > 0 ? { tool_calls } : {}),
        },
        finish_reason: finish ?? (calls.length > 0 ? 'tool_calls' : 'stop'),
      },
    ],
    usage: { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 },
  }
}

function messageOf({ content, calls = [], finish }: Said): JsonObject {
  const blocks = calls.map(([name, input], index) => ({
    type: 'tool_use',
    id: `toolu_${Math.random()}_${index}`,
    name,
    input,
  }))
  return {
    type: 'message',
    role: 'assistant',
    content: [...(content === undefined ? [] : [{ type: 'text', text: content }]), ...blocks],
    stop_reason: finish ?? (calls.length > 0 ? 'tool_use' : 'end_turn'),
    usage: { input_tokens: 1_000, output_tokens: 100 },
  }
}
