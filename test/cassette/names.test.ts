import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cassettePath, isCassettePath } from '../../src/cassette/paths.ts'
import { withOrdinals } from '../../src/cassette/test-place.ts'
import { writeOutUnseen } from '../../src/text/printable.ts'
import { expectDocumented } from '../docs-section.ts'
import { HOSTILE_TITLES } from './hostile-titles.ts'

const NAME = /^[a-z0-9][a-z0-9-]*-[0-9a-f]{10}\.json$/

function nameOf(titles: string[], ordinal = 0): string {
  return cassettePath({ file: 'a.test.ts', titles, ordinal }).split('/').at(-1)!
}

/** What file systems that ignore case and Unicode spelling make of a name. */
function folded(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

test('every hostile title has a safe name of its own, but for two spellings of one', () => {
  const names = HOSTILE_TITLES.map((title) => nameOf([title]))
  for (const name of names) {
    expect(name).toMatch(NAME)
    expect(name.length).toBeLessThanOrEqual(76)
  }
  const titles = new Set(HOSTILE_TITLES.map((title) => title.normalize('NFC')))
  expect(new Set(names.map(folded)).size).toBe(titles.size)
})

test('tests with two spellings of one title have names of their own, of which the first stays', () => {
  const file = 'a.test.ts'
  const [first, ...all] = ['\u00e9', 'e\u0301', '\u00e9', 'E\u0301', '\u00e9\u200b', '\u00e9 '].map(
    (last) => ({
      file,
      titles: ['asks', last],
    }),
  )
  const names = withOrdinals([first!, ...all]).map((place) => folded(cassettePath(place)))
  expect(new Set(names).size).toBe(6)
  expect(names[0]).toBe(cassettePath({ ...first!, ordinal: 0 }))
  const hostile = withOrdinals(HOSTILE_TITLES.map((title) => ({ file, titles: [title] })))
  const named = hostile.map((place) => folded(cassettePath(place)))
  expect(new Set(named).size).toBe(HOSTILE_TITLES.length)
})

// Run this file with -u to write the table again. A name that changes strands the cassettes of users.
test('docs/names.md has the names', async () => {
  const rows = HOSTILE_TITLES.map((title) => {
    const shown = title.length > 40 ? `${[...title][0]}… (${title.length} characters)` : title
    return `| ${escape(shown)} | \`${nameOf([title])}\` |`
  })
  const table = ['| title | file |', '|---|---|', ...rows].join('\n')
  await expectDocumented('names.md', 'names', table)
})

test('any titles have safe names, and different ones different names on every system', () => {
  const titles = fc.array(fc.string({ unit: 'binary', maxLength: 400 }), {
    minLength: 1,
    maxLength: 4,
  })
  fc.assert(
    fc.property(titles, titles, fc.nat(3), (one, other, ordinal) => {
      const name = nameOf(one, ordinal)
      expect(name).toMatch(NAME)
      expect(name.length).toBeLessThanOrEqual(76)
      expect(nameOf(one, ordinal)).toBe(name)
      const isSame = JSON.stringify(one).normalize('NFC') === JSON.stringify(other).normalize('NFC')
      expect(folded(nameOf(other, ordinal)) === folded(name)).toBe(isSame)
    }),
    { numRuns: 500 },
  )
})

test('any test file has a folder that every system can make, inside of the cassette folder', () => {
  const segment = fc.oneof(
    fc
      .string({ unit: 'binary', minLength: 1, maxLength: 40 })
      .map((text) => text.replaceAll('/', '')),
    fc.constantFrom(
      '..',
      '.',
      '',
      'con',
      'NUL.test.ts',
      'com1.x',
      'a.',
      'a ',
      'a:b',
      '\u202ea',
      'e\u0301',
    ),
  )
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1, maxLength: 6 }), (segments) => {
      const path = cassettePath({ file: segments.join('/'), titles: ['asks'], ordinal: 0 })
      const folders = path.split('/').slice(0, -1)
      for (const folder of folders) {
        expect(folder).not.toMatch(/^\.*$|[. ]$|[\\:*?"<>|]|[\p{Cc}\p{Cf}\p{Cs}]/u)
        expect(folder).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i)
        expect(folder).toBe(folder.normalize('NFC'))
      }
      expect(isCassettePath(path)).toBe(true)
    }),
    { numRuns: 500 },
  )
})

function escape(text: string): string {
  return writeOutUnseen(text)
    .replaceAll('\n', '\\n')
    .replaceAll('\u200b', '<U+200B>')
    .replace(/[&<>\\`*_[\]|~$]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/^ | $|(?<= ) /g, '&nbsp;')
}
