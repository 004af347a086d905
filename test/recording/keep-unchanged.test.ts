import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { isRecorded, type Cassette, type Exchange } from '../../src/cassette/cassette.ts'
import { encodeCassette } from '../../src/cassette/encode.ts'
import { printCassette } from '../../src/cassette/format.ts'
import { describeTurns } from '../../src/recording/describe.ts'
import { keepUnchanged } from '../../src/recording/keep-unchanged.ts'
import { jsonOf } from '../../src/wire/body.ts'
import { readBody } from '../../src/wire/read-body.ts'
import { question } from '../engine/example-session.ts'
import { recordTurns, replayTurns, type Variant } from './smallest-diff/record-turns.ts'
import { renewingWires, type RenewingWire } from './smallest-diff/renewing-wires.ts'

const [chat] = renewingWires as [RenewingWire]

/** Records twice; what is to be stored the second time is replayed as well. */
async function recordAgain(wire: RenewingWire, first: Variant, second: Variant) {
  const old = await recordTurns(wire, first)
  const fresh = await recordTurns(wire, second)
  const settled = keepUnchanged({ volatile: second.volatile })(old, fresh)
  await expect(replayTurns(wire, settled, second)).resolves.toBeUndefined()
  return { old, fresh, settled }
}

const print = (cassette: Cassette): string => printCassette(encodeCassette(cassette, '').stored)
const answers = ({ exchanges }: Cassette) => exchanges.map(({ wire }) => wire?.response)

const keysOf = ({ exchanges }: Cassette) =>
  exchanges.map(({ wire }) => Object.keys(jsonOf(wire!.request.body) as object))

/** The places at which the wires of these tests tell what a prompt and its answer took. */
const USAGE = new Set(['usage', 'usageMetadata', 'metrics'])

/** Answers without what they took. */
function withoutUsage(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUsage)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([name]) => !USAGE.has(name))
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutUsage(inner)]))
}

/** What the stream of an exchange says last of each thing that it took. */
function usageOf({ wire }: Exchange): Record<string, unknown> {
  const told: Record<string, unknown> = {}
  const walk = (value: unknown, inside: boolean): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [name, inner] of Object.entries(value)) {
      if (inside && typeof inner === 'number') told[name] = inner
      else walk(inner, inside || name === 'usage' || name === 'usageMetadata')
    }
  }
  walk(wire?.response?.body, false)
  return told
}

describe.for(renewingWires)('$name', (wire) => {
  test('recording the same answers again changes no byte', async () => {
    const { old, fresh, settled } = await recordAgain(wire, {}, {})
    expect(print(fresh)).not.toBe(print(old))
    expect(print(settled)).toBe(print(old))
  })

  test('where a client spells its requests otherwise, they follow, and nothing else changes', async () => {
    const send: Variant['send'] = (request) =>
      Object.fromEntries(Object.entries(request).toReversed())
    const { old, fresh, settled } = await recordAgain(wire, {}, { send })
    expect(keysOf(settled)).toEqual(keysOf(fresh))
    expect(keysOf(settled)).not.toEqual(keysOf(old))
    expect(answers(settled)).toEqual(answers(old))
    expect(settled.oldestAnswer).toBe(old.timestamp)
    // What was spelled so before is no change.
    const again = await recordTurns(wire, { send })
    expect(print(keepUnchanged()(settled, again))).toBe(print(settled))
  })

  test('where a word of the prompt changes, the answers stay but for what they repeat of it', async () => {
    const { old, settled } = await recordAgain(wire, {}, { word: 'gently' })
    const said = JSON.stringify(withoutUsage(answers(old))).replaceAll('kindly', 'gently')
    expect(JSON.stringify(withoutUsage(answers(settled)))).toBe(said)
    expect(print(settled)).toContain('gently')
    expect(print(settled)).not.toContain('kindly')
  })

  test('what a changed prompt took is that of the new one, also where the answer is the old one', async () => {
    for (const second of [
      { word: 'gently, and as long as you like,' },
      { changed: 'all' as const },
    ]) {
      const { old, fresh, settled } = await recordAgain(wire, {}, second)
      const took = ({ exchanges }: Cassette) => exchanges.map(({ response }) => response.usage)
      expect(took(fresh)).not.toEqual(took(old))
      expect(took(settled).slice(-1)).toEqual(took(fresh).slice(-1))
      if ('word' in second) expect(took(settled)).toEqual(took(fresh))
      const last = ({ exchanges }: Cassette) => usageOf(exchanges.at(-1)!)
      expect(last(settled)).toEqual(last(fresh))
    }
  })

  test('an answer in which a word changes is written, and the others stay', async () => {
    const { old, settled } = await recordAgain(wire, {}, { word: 'gently', changed: 2 })
    const texts = settled.exchanges.map(({ response }) => response.text)
    expect(texts.filter((text) => text.includes('yesterday'))).toHaveLength(1)
    const same = answers(settled).filter(
      (answer, index) =>
        JSON.stringify(withoutUsage(answer)) === JSON.stringify(withoutUsage(answers(old)[index])),
    )
    if (wire.name !== 'openai-responses') expect(same).toHaveLength(3)
  })

  test('a turn more leaves those before it', async () => {
    const { old, settled } = await recordAgain(wire, {}, { turns: 3 })
    expect(settled.exchanges.slice(0, 4)).toEqual(old.exchanges)
    expect(settled.exchanges).toHaveLength(6)
  })
})

test('what an application says of a figure in its next prompt is recorded with the answer that has it', async () => {
  const send: Variant['send'] = (request, given) => {
    const [, created] = /"created":(\d+)/.exec(String(given.at(-1) ?? '')) ?? []
    return { ...request, user: `answered at ${created ?? 'no time'}` }
  }
  const { old, settled } = await recordAgain(chat, { send }, { send })
  expect(JSON.stringify(answers(settled))).not.toBe(JSON.stringify(answers(old)))
})

test.for([
  ['counts its calls from another number', (place: number) => `call_${place + 7}`],
  ['calls all of them the same', () => 'call_the_only_one_0'],
] as const)(
  'a cassette of a provider that %s replays, also after it is recorded again',
  async ([, nameOf]) => {
    const named =
      (name: (place: number) => string) =>
      (bytes: Buffer, place: number): Buffer =>
        Buffer.from(String(bytes).replace(/call_[0-9a-f]{32}/, name(place)))
    const first = { answer: named((place) => `call_${place}`) }
    await recordAgain(chat, first, { answer: named(nameOf) })
    await recordAgain(chat, { answer: named(nameOf) }, {})
  },
)

test('declared volatile values stay as they were, also behind a prompt that changed', async () => {
  const variant = (): Variant => {
    const id = randomUUID()
    return {
      volatile: ['uuid'],
      send: (request) => ({ ...request, user: `session ${id}` }),
    }
  }
  const { old, settled } = await recordAgain(chat, variant(), variant())
  expect(print(settled)).toBe(print(old))
  const changed = await recordAgain(chat, variant(), { ...variant(), word: 'gently' })
  const userOf = ({ exchanges: [first] }: Cassette): unknown =>
    first && isRecorded(first) && /session [-\w]+/.exec(JSON.stringify(first.wire.request))?.[0]
  expect(changed.settled.exchanges).toHaveLength(changed.old.exchanges.length)
  expect(new Set(print(changed.settled).match(/session [-\w]+/g)).size).toBe(1)
  expect(userOf(changed.settled)).toBe(userOf(changed.old))
})

test('what is asked in another order keeps its own answers', async () => {
  const old = await recordTurns(chat)
  const fresh = await recordTurns(chat)
  fresh.exchanges.reverse()
  const settled = keepUnchanged()(old, fresh)
  expect(answers(settled)).toEqual(answers(old).reverse())
})

test('an edit of what people read does not outlive a recording that says the same', async () => {
  const old = await recordTurns(chat)
  const before = print(old)
  old.exchanges[0]!.prompt.text = 'forged'
  expect(print(keepUnchanged()(old, await recordTurns(chat)))).toBe(before)
})

test('agents that ask the same at the same time keep each their own answers', async () => {
  const call = (id: string) => ({
    id,
    type: 'function',
    function: { name: 'look', arguments: '{}' },
  })
  const agents = (order: number[], run: string): Cassette => {
    const asked = question('Look it up.')
    const id = (agent: number): string => `call_${run}${agent}xK9mQ2vLpR7tZ4`
    const answer = (body: object) => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: readBody(Buffer.from(JSON.stringify(body)), 'application/json'),
    })
    return {
      conversationId: 'a.test.ts > agents',
      timestamp: '2026-01-01T00:00:00.000Z',
      exchanges: describeTurns([
        ...[1, 2, 3].map((agent) => ({
          incoming: asked,
          response: answer({
            choices: [
              {
                message: { content: null, tool_calls: [call(id(agent))] },
                finish_reason: 'tool_calls',
              },
            ],
          }),
        })),
        ...order.map((agent) => ({
          incoming: question('', {
            messages: [
              { role: 'user', content: 'Look it up.' },
              // Keys are sorted in a file, and not in a request.
              ...(run === 'old'
                ? [{ content: null, role: 'assistant', tool_calls: [call(id(agent))] }]
                : [{ tool_calls: [call(id(agent))], role: 'assistant', content: null }]),
              { role: 'tool', tool_call_id: id(agent), content: 'Lima' },
            ],
          }),
          response: answer({
            choices: [{ message: { content: `Draft ${run} of ${agent}` }, finish_reason: 'stop' }],
          }),
        })),
      ]),
    }
  }
  const settled = keepUnchanged({ unordered: true })(
    agents([2, 3, 1], 'old'),
    agents([3, 1, 2], 'new'),
  )
  const sent = settled.exchanges.slice(3).map(({ wire, response }) => {
    const [, agent] = /"call_old(\d)xK9mQ2vLpR7tZ4"/.exec(JSON.stringify(wire)) ?? []
    return [agent, response.text]
  })
  expect(sent.toSorted()).toEqual([1, 2, 3].map((agent) => [`${agent}`, `Draft new of ${agent}`]))
})
