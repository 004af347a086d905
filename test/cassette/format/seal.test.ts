import { describe, expect, test } from 'vitest'
import { encodeCassette } from '../../../src/cassette/encode.ts'
import { decodeCassette } from '../../../src/cassette/decode.ts'
import {
  editedResponses,
  isEdited,
  printCassette,
  printSealed,
} from '../../../src/cassette/format.ts'
import { parseCassette } from '../../../src/cassette/parse.ts'
import { exampleCassette } from '../example-cassette.ts'

const noFile = (): Buffer => expect.unreachable()

const cassette = exampleCassette({ messages: ['Hello'] }, { messages: ['Bye'] })
const sealed = printSealed(encodeCassette(cassette, 'schema.json').stored)

describe('a seal', () => {
  test.each([
    ['as it was written', sealed],
    ['behind a byte order mark', `\uFEFF${sealed}`],
    ['with the line ends of Windows', sealed.replaceAll('\n', '\r\n')],
    ['in one line', JSON.stringify(JSON.parse(sealed))],
    ['with other indents', JSON.stringify(JSON.parse(sealed), null, 4)],
  ])('holds for a file %s', (_, text) => {
    expect(isEdited(parseCassette(text))).toBe(false)
  })

  test.each([
    ['a word of a request', '"Bye"', '"By"'],
    ['a readable text', '"text": "Hi"', '"text": "Ho"'],
    ['a response', '"content":"Hi"', '"content":"Ho"'],
    ['a date', '2026-01-02', '2026-01-03'],
    ['a hash', '"hashes": ["0', '"hashes": ["1'],
    ['the name of the test', 'greets', 'greats'],
    ['an id', 'exchange-2', 'exchange-3'],
  ])('does not hold where %s was edited', (_, from, to) => {
    expect(sealed).toContain(from)
    expect(isEdited(parseCassette(sealed.replace(from, to)))).toBe(true)
  })

  test('stays as it is where a file is printed as it is', () => {
    const edited = parseCassette(sealed.replace('"Bye"', '"By"'))
    expect(isEdited(parseCassette(printCassette(edited)))).toBe(true)
    expect(isEdited(parseCassette(printSealed(edited)))).toBe(false)
    expect(printCassette(parseCassette(sealed))).toBe(sealed)
  })

  test('is of no use where a person wrote everything', () => {
    const [exchange] = cassette.exchanges
    const { prompt, response } = exchange!
    const written = { ...cassette, exchanges: [{ id: 'a', prompt, response }] }
    expect(printSealed(encodeCassette(written).stored)).not.toContain('seal')
  })
})

test('a response that was edited is named by its place, whatever else was', () => {
  const edit = (from: RegExp, to: string): number[] =>
    editedResponses(parseCassette(sealed.replace(from, to)))
  expect(edit(/"Bye"/, '"By"')).toEqual([])
  expect(edit(/"text": "Hi"/, '"text": "Ho"')).toEqual([0])
  expect(edit(/(?<=exchange-2[^]*)"content":"Hi"/, '"content":"Ho"')).toEqual([1])
})

test('what is another one in every recording stands on one line', () => {
  const { stored } = encodeCassette({ ...cassette, oldestAnswer: '2026-01-01T00:00:00.000Z' })
  const lines = printSealed(stored).split('\n')
  expect(lines.at(-3)).toMatch(
    /^ {2}"timestamp": ".*", "oldest_answer": ".*", "rules": \[1\], "hashes": \[.*\], "seal": ".*"$/,
  )
  const hash = stored.hashes![0]!.split('.')[2]!
  expect(lines.filter((line) => line.includes(hash))).toHaveLength(1)
})

test('invisible characters are spelled, and come back', () => {
  const unseen = 'a\u202eb\u200bc\u2066d\ufeff'
  const said = exampleCassette({ messages: [unseen], [unseen]: 1 })
  said.exchanges[0]!.response.text = unseen
  said.exchanges[0]!.prompt.text = unseen
  const value = { content: unseen }
  said.exchanges[0]!.wire.response.body = { kind: 'json', value, layout: {} }
  const text = printSealed(encodeCassette(said).stored)
  for (const sign of '\u202e\u200b\u2066\ufeff') expect(text).not.toContain(sign)
  expect(text).toContain('a\\u202eb\\u200bc\\u2066d\\ufeff')
  const parsed = parseCassette(text)
  expect(isEdited(parsed)).toBe(false)
  expect(decodeCassette(parsed, noFile)).toEqual(said)
})
