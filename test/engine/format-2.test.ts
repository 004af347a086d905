import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { decodeFile } from '../../src/cassette/file/decode.ts'
import { parseFile } from '../../src/cassette/file/parse.ts'
import type { VolatileRule } from '../../src/config/volatile-rule.ts'
import { readRecorded } from '../../src/engine/recorded.ts'
import { responseHashOf } from '../../src/engine/stored-hashes.ts'
import { parseJson } from '../../src/json/json-value.ts'
import { isHashOf, shortHash } from '../../src/prompt/short-hash.ts'
import { askAll } from '../conformance/ask-engine.ts'
import type { Case, Expected } from '../conformance/case.ts'

interface File {
  exchanges: Array<{ id?: string; response: object }>
  hashes?: string[]
}

function readCase(name: string): Case & { cassette: File } {
  const path = join(import.meta.dirname, '../../conformance/2/cases', `${name}.json`)
  const known = parseJson(readFileSync(path, 'utf8')) as unknown as Case & { cassette: File }
  for (const [index, exchange] of known.cassette.exchanges.entries())
    exchange.id ??= `exchange-${index + 1}`
  return known
}

const decode = ({ cassette, blobs = {} }: Case): ReturnType<typeof decodeFile> =>
  decodeFile(parseFile(JSON.stringify(cassette)), (name) => Buffer.from(blobs[name]!, 'base64'))

// The cases about the canonical form.
test.for(
  (
    'address address-2 calls calls-far digests forms frames-asked header-readings headers imported lines nul numbers plain ' +
    'placeholder-unset properties sockets texts tool-servers url-references utf16 volatile volatile-texts'
  ).split(' '),
)('the engine finds what the case %s of version 2 expects', (name) => {
  const known = readCase(name)
  const { expected } = askAll(decode(known), known)
  const outcomeOf = ({ exchange, refused }: Expected): object => ({ exchange, refused })
  expect(expected.map(outcomeOf)).toEqual(known.requests.map(({ expect: one }) => outcomeOf(one!)))
  const hashes = known.requests.map(({ expect: one }, at) => one!.hash ?? expected[at]!.hash)
  expect(expected.map(({ hash }) => hash)).toEqual(hashes)
})

test.for(['hashes-right', 'hashes-wrong', 'hashes-volatile'])(
  'the hashes of the case %s of version 2 show what was edited',
  (name) => {
    const known = readCase(name)
    const { exchanges, hashes } = known.cassette
    const recorded = readRecorded(decode(known), known.options?.volatile as VolatileRule[])
    const edited = exchanges.flatMap(({ id, response }, at) => {
      const [canonical, , ofResponse] = hashes![at]!.split('.')
      const isRight =
        isHashOf(canonical, recorded[at]!.incoming!.hash) &&
        ofResponse === shortHash(responseHashOf(response))
      return isRight ? [] : [id!]
    })
    expect(edited).toEqual(known.edited ?? [])
  },
)
