import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Sharing } from '../../src/cassette/format/share.ts'
import { resolveConfig } from '../../src/config/resolved-config.ts'
import { readBody } from '../../src/wire/read-body.ts'
import * as eventStream from '../../src/wire/event-stream.ts'
import type { WireResponse } from '../../src/wire/message.ts'
import * as engine from '../../src/attempt/attempt-engine.ts'
import { storeOf } from '../../src/attempt/closing/close-attempt.ts'
import { openSession } from '../../src/attempt/open-session.ts'
import { openExample, question } from '../engine/example-session.ts'
import { countWork } from './work.ts'

const KINDS: Record<string, (index: number) => WireResponse> = {
  'plain answers': plain,
  streams: stream,
}

const SIZES = [100, 200, 400]

test.for(Object.entries(KINDS))(
  'a recording of many %s is kept and closed in work that grows as its exchanges do',
  async ([, answer]) => {
    // What happens once happens here: modules, and tables that are filled when they are needed.
    await record(10, answer)
    const work = []
    for (const size of SIZES) work.push(await record(size, answer))
    for (const part of ['keeping', 'closing'] as const) {
      const [few, more, most] = work.map((one) => one[part]) as [number, number, number]
      expect(few).toBeGreaterThan(SIZES[0]!)
      // Twice as much is added, for twice as many; a twentieth is left for what depends on chance.
      expect((most - more) / (more - few), part).toBeLessThan(2.1)
    }
  },
)

test('closing encodes a recording once, reads no event of a stream from its text again, and tries to parse nothing in vain', async () => {
  await record(10, stream)
  const parse = vi.spyOn(JSON, 'parse')
  const opened = vi.spyOn(Sharing.prototype, 'open')
  const written = vi.spyOn(eventStream, 'writeEvent')
  const spies = [parse, opened, written]
  onTestFinished(() => void spies.map((spy) => spy.mockRestore()))
  await record(100, stream, () => void spies.map((spy) => spy.mockClear()))
  const encoded = opened.mock.calls.map(([{ id }]) => id)
  expect(encoded).toHaveLength(100)
  expect(new Set(encoded).size).toBe(encoded.length)
  // Only the last of each, which is no JSON, is read from its text.
  expect(written.mock.calls.length).toBeLessThanOrEqual(2 * 100)
  expect(parse.mock.results.filter(({ type }) => type === 'throw')).toEqual([])
})

interface Work {
  keeping: number
  closing: number
}

/** Records as a test does whose requests are all different, up to its cassette. */
async function record(
  count: number,
  answer: (index: number) => WireResponse,
  beforeClosing = (): void => {},
): Promise<Work> {
  const root = mkdtempSync(join(tmpdir(), 'cassette-closing-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const config = resolveConfig({}, { ci: false, recordInCi: false, record: 'all' })
  const owner = {
    root,
    test: () => openExample(undefined).test,
    path: () => 'a.test.ts/asks.json',
    hasCassette: () => true,
    shown: (path: string) => path,
  }
  const open = openSession(owner, config, () => engine)
  const keeping = await countWork(async () => {
    for (let index = 0; index < count; index++) {
      const given = open.session.answer(question(`What is the capital of country ${index}?`), {
        order: index,
      })
      if (given.action !== 'record') throw new Error(given.action)
      given.recording.response = answer(index)
      await given.recording.keep()
    }
  })
  beforeClosing()
  const outcome = { passed: true, now: new Date(), color: false }
  const closing = await countWork(async () => {
    await open.session.waitForAnswers()
    open.session.late.end(-1)
    expect((await engine.closeAttempt(open, outcome, (_, run) => run())).failure).toBeUndefined()
  })
  expect(storeOf(open).load(owner.path())?.exchanges).toHaveLength(count)
  return { keeping, closing }
}

function plain(index: number): WireResponse {
  const message = { role: 'assistant', content: wordsOf(index).join(' ') }
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: readBody(
      Buffer.from(JSON.stringify({ choices: [{ message, finish_reason: 'stop' }] })),
      'application/json',
    ),
  }
}

function stream(index: number): WireResponse {
  const events = wordsOf(index).map((word) => ({
    id: `chatcmpl-${index}`,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta: { content: `${word} ` }, finish_reason: null }],
  }))
  const lines = [...events.map((event) => JSON.stringify(event)), '[DONE]']
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    body: readBody(
      Buffer.from(lines.map((line) => `data: ${line}\n\n`).join('')),
      'text/event-stream',
    ),
  }
}

function wordsOf(index: number): string[] {
  return `The capital of country ${index} is called city ${index * 7}, as far as I know.`.split(' ')
}
