import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { needs } from '../needs.ts'
import { linkClients } from './installed-clients.ts'
import { VitestProject } from './vitest-project.ts'

/** A picture of 5 KB, as its first bytes say. */
const picture = Buffer.concat([
  Buffer.from('89504e470d0a1a0a', 'hex'),
  Buffer.from(Array.from({ length: 5_000 }, (_, at) => (at * 7919) % 256)),
])

let provider: Server
let project: VitestProject
let recorded: string[][]

describe('the hosts of providers', needs('clients'), () => {
  beforeAll(async () => {
    const polls = new Map<string, number>()
    provider = createServer((request, response) => {
      const address = `${request.headers.host}${request.url}`
      const isResult = /\/(?:results\/.*|requests\/7|video|srt|file|content|speech)$/.test(address)
      if (isResult) return void response.setHeader('content-type', 'image/png').end(picture)
      if (address.endsWith('/v1/chat'))
        return void text(request).then((body) => chat(body, response))
      if (address.endsWith('/v1/responses'))
        return void text(request).then((body) => respond(body, response))
      const count = (polls.get(address) ?? 0) + 1
      polls.set(address, count)
      const state =
        request.method === 'POST' ? 'submitted' : count < 3 ? `pending ${count}` : 'done'
      response.setHeader('content-type', 'application/json').end(
        JSON.stringify({
          id: '7',
          state,
          data: [{ id: '8' }],
          choices: [{ message: { content: 'Hi' } }],
        }),
      )
    })
    await once(provider.listen(0, '127.0.0.1'), 'listening')
    project = new VitestProject('provider-hosts', {
      PORT: String((provider.address() as AddressInfo).port),
    })
    linkClients(project)
    const run = await project.record([], { RESULTS: 'recorded.jsonl' })
    expect(run.exitCode, run.output).toBe(0)
    recorded = results('recorded.jsonl')
    provider.close()
    provider.closeAllConnections()
  })

  afterAll(() => void provider.close())

  test('jobs of media providers are recorded by their hosts, from the submission to the result', () => {
    expect(project.files().filter((file) => !file.startsWith('blobs/'))).toHaveLength(19)
    for (const [, submitted, ...polled] of recorded) {
      expect(submitted).toContain('submitted')
      expect(
        polled.slice(0, 3).map((text) => (JSON.parse(text) as { state: string }).state),
      ).toEqual(['pending 1', 'pending 2', 'done'])
    }
  })

  test('files, sounds, videos, and what OpenAI keeps for an application, are replayed through the SDKs', async () => {
    const run = await project.run(['sdk', 'agents'], { RESULTS: 'again.jsonl' })
    expect(run.exitCode, run.output).toBe(0)
    expect(project.read(project.cassette('the-first-chat-of-cohere'))).toContain(
      '"text": "It is dry."',
    )
    expect(results('again.jsonl.sdk')).toEqual(results('recorded.jsonl.sdk'))
  })

  test.each(['1', '2', '3', '6'])(
    'and replayed offline, where they are looked after %s times',
    async (POLLS) => {
      const RESULTS = `replayed-${POLLS}.jsonl`
      const run = await project.run(['media'], { RESULTS, POLLS })
      expect(run.exitCode, run.output).toBe(0)
      const expected = recorded.map(([name, submitted, ...rest]) => {
        const [states, hash] = [rest.slice(0, -1), rest.at(-1)]
        const polled = Array.from({ length: Number(POLLS) }, (_, at) => states[Math.min(at, 2)])
        return [name, submitted, ...polled, hash]
      })
      expect(results(RESULTS)).toEqual(expected)
    },
  )
})

/** The first chat of Cohere, whose stream is JSON lines. */
function chat(body: string, response: ServerResponse): void {
  const answer = { generation_id: 'g1', text: 'It is dry.', finish_reason: 'COMPLETE' }
  const events = [
    { event_type: 'stream-start', is_finished: false, generation_id: 'g1' },
    ...['It is', ' dry.'].map((text) => ({
      event_type: 'text-generation',
      is_finished: false,
      text,
    })),
    { event_type: 'stream-end', is_finished: true, finish_reason: 'COMPLETE', response: answer },
  ]
  const isStreamed = (JSON.parse(body) as { stream?: boolean }).stream
  response.setHeader('content-type', isStreamed ? 'application/stream+json' : 'application/json')
  response.end(
    isStreamed ? events.map((one) => `${JSON.stringify(one)}\n`).join('') : JSON.stringify(answer),
  )
}

/** Hands over where that is offered, and answers otherwise. */
function respond(body: string, response: ServerResponse): void {
  const { tools = [] } = JSON.parse(body) as { tools?: Array<{ name?: string }> }
  const name = tools.find((tool) => tool.name?.startsWith('transfer_to_'))?.name
  const said = { type: 'output_text', text: 'Done.', annotations: [] }
  const output = name
    ? {
        type: 'function_call',
        id: 'fc_1',
        call_id: 'call_1',
        name,
        arguments: '{}',
        status: 'completed',
      }
    : { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [said] }
  const usage = { input_tokens: 9, output_tokens: 5, total_tokens: 14 }
  const answer = {
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    model: 'gpt-5',
    usage,
    output: [output],
  }
  response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
}

function results(file: string): string[][] {
  const lines = project.read(file).trimEnd().split('\n')
  // Files run side by side.
  return lines.toSorted().map((line) => JSON.parse(line) as string[])
}
