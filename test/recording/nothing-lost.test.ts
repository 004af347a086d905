import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Cassette, isRecorded } from '../../src/cassette/cassette.ts'
import { decodeCassette } from '../../src/cassette/decode.ts'
import { encodeCassette } from '../../src/cassette/encode.ts'
import { printCassette, printSealed } from '../../src/cassette/format.ts'
import { parseStored } from '../../src/cassette/reader.ts'
import { readRecorded } from '../../src/engine/recorded.ts'
import { parseJson } from '../../src/json/json-value.ts'
import { mergeTurns } from '../../src/recording/smallest-diff/merge-turns.ts'
import { describeTurns, type KeptTurn, keptTurn } from '../../src/recording/describe.ts'
import { writeBody } from '../../src/wire/body.ts'
import type { WireRequest, WireResponse } from '../../src/wire/message.ts'
import type { Case } from '../conformance/play-case.ts'
import { keepParts, keepUnchanged } from '../../src/recording/keep-unchanged.ts'

const root = join(import.meta.dirname, '../..')

type Load = (name: string) => Buffer

/** What a test records that gets the same responses again: a recording knows no groups and no proposals. */
function recordedAgain({ params, conversationId, ...old }: Cassette): Cassette {
  const fresh = old.exchanges.map((exchange) => {
    const { part: _, ...recorded } = exchange
    return recorded as typeof exchange
  })
  const exchanges = describeTurns(
    readRecorded({ ...old, conversationId, exchanges: fresh }).map(keptTurn),
  )
  return {
    conversationId,
    timestamp: '2031-01-01T00:00:00.000Z',
    ...(params ? { params } : {}),
    exchanges,
  }
}

/** Each way in which an old cassette and the responses of a run become the next cassette. */
const WAYS: Record<string, (old: Cassette) => Cassette> = {
  'recording all again': (old) => keepUnchanged()(old, recordedAgain(old)),
  'recording all again, with every byte': (old) => keepParts(old, recordedAgain(old)),
  'adding the answers of a journal': (old) => {
    const fresh = recordedAgain(old)
    const turns = mergeTurns(readRecorded(old), readRecorded(fresh).map(keptTurn).filter(isAnswer))
    return keepUnchanged()(old, { ...fresh, exchanges: describeTurns(turns) })
  },
  'recording what is missing': (old) => {
    const turns = mergeTurns(readRecorded(old), [])
    const { conversationId, timestamp, params } = recordedAgain(old)
    const exchanges = describeTurns(turns)
    return keepUnchanged()(old, {
      conversationId,
      timestamp,
      ...(params ? { params } : {}),
      exchanges,
    })
  },
}

function print(cassette: Cassette, schema?: string): { text: string; blobs: Map<string, Buffer> } {
  const { stored, blobs } = encodeCassette(cassette, schema)
  return { text: printSealed(stored), blobs }
}

/** Whether a turn is one that a journal can hold. */
function isAnswer(turn: KeptTurn): boolean {
  return 'incoming' in turn && !turn.incoming.wire.imported
}

interface KnownFile {
  name: string
  text: string
  load: Load
}

const recordings = join(root, '__recordings__')
const ofTheProject: KnownFile[] = readdirSync(recordings, { recursive: true, withFileTypes: true })
  .filter(({ name }) => name.endsWith('.json'))
  .map(({ name, parentPath }) => join(parentPath, name))
  .map((file) => ({
    name: relative(root, file),
    text: readFileSync(file, 'utf8'),
    load: (blob) => readFileSync(join(recordings, 'blobs', blob)),
  }))

describe.for(Object.entries(WAYS))('%s with nothing new', ([way, again]) => {
  test.for(ofTheProject)('writes no byte of $name anew', ({ text, load }) => {
    const stored = parseStored(text)
    const { timestamp, ...written } = again(decodeCassette(stored, load))
    // The time of a recording with every byte is its own.
    const time = way.includes('every byte') ? stored.timestamp : timestamp
    expect(print({ ...written, timestamp: time }, stored.$schema).text).toBe(text)
  })
})

const cases = join(root, 'conformance/cases')

/** The files of the conformance cases that this release reads. */
const ofTheFormat: KnownFile[] = readdirSync(cases).flatMap((name) => {
  const one = parseJson(readFileSync(join(cases, name), 'utf8')) as unknown as Case
  const { cassette, file, blobs = {}, unreadable } = one
  if (unreadable !== undefined) return []
  const text = file ?? printCassette(cassette!)
  const load: Load = (blob) => Buffer.from(blobs[blob]!, 'base64')
  try {
    decodeCassette(parseStored(text), load)
  } catch {
    // Samples, which it refuses by name.
    return []
  }
  return [{ name, text, load }]
})

/** All that a cassette says, without what is made of its requests and responses. */
function saidIn({ timestamp, oldestAnswer, ...cassette }: Cassette): unknown {
  expect([timestamp, oldestAnswer ?? timestamp]).not.toContain('')
  const ids = new Map(cassette.exchanges.map(({ id }, at) => [id, at]))
  return {
    ...cassette,
    exchanges: cassette.exchanges.map((exchange) => {
      if (!isRecorded(exchange)) {
        const request = exchange.wire?.request
        const { hash, ...prompt } = exchange.prompt
        // That of a recorded request is counted anew.
        const known = request ? prompt : { ...prompt, hash }
        return { ...exchange, prompt: known, wire: messageOf(request, ids) }
      }
      const { kept, mocked, duration_ms } = exchange.response
      const { request, response } = exchange.wire
      const wire = [messageOf(request, ids), messageOf(response, ids)]
      return { part: exchange.part, kept, mocked, duration_ms, wire }
    }),
  }
}

function messageOf(message: WireRequest | WireResponse | undefined, ids: Map<string, number>) {
  if (!message) return undefined
  const { body, ...head } = message
  const after = 'after' in head && head.after ? { after: ids.get(head.after) } : {}
  return { ...head, ...after, body: Buffer.concat(writeBody(body)).toString('latin1') }
}

describe.for(Object.entries(WAYS))('%s with nothing new, of the format', ([, again]) => {
  test.for(ofTheFormat)('loses nothing of $name', ({ text, load }) => {
    const old = decodeCassette(parseStored(text), load)
    const saved = again(old)
    expect(saidIn(saved)).toEqual(saidIn(old))
    const first = print(saved)
    const read = decodeCassette(parseStored(first.text), (name) => first.blobs.get(name)!)
    expect(saidIn(read)).toEqual(saidIn(old))
  })
})

describe.for(Object.entries(WAYS))('%s, where the hashes are of other rules', ([, again]) => {
  test.for(ofTheProject.slice(0, 12))('counts them anew for $name', ({ text, load }) => {
    const stored = parseStored(text)
    for (const rules of [[2], [1, 'uuid'], [1, 're:212029853b17', '$.x']]) {
      const hashes = stored.hashes!.map((hash) => `${'x'.repeat(22)}${hash.slice(22)}`)
      const other = printSealed({ ...stored, rules, hashes })
      const { stored: saved } = encodeCassette(again(decodeCassette(parseStored(other), load)))
      expect(saved.rules).toEqual([1])
      expect(saved.hashes).toEqual(stored.hashes)
    }
  })
})

test('where a person wrote the response of a recorded request, its hash is counted anew', () => {
  const { text, load } = ofTheFormat.find(({ name }) => name === 'replaced.json')!
  const again = WAYS['recording what is missing']!
  const [hash] = encodeCassette(again(decodeCassette(parseStored(text), load))).stored.hashes!
  expect(hash).toMatch(/^[\w-]{22}\.[\w-]{22}\.$/)
})
