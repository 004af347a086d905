import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { readYaml } from '../../../src/tools/import/yaml.ts'
import { coded, expectGolden } from '../../golden.ts'
import { failureHeadOf } from './reasons.ts'

function read(...lines: string[]): unknown {
  return readYaml(lines.join('\n'), 'a.yaml')
}

test('tags of types make no object', () => {
  expect(
    read(
      'a: !ruby/object:OpenStruct {b: 1}',
      'c: !!python/object/apply:os.system [rm]',
      'd: !ruby/regexp /x/',
      'e: !!js/function "() => 1"',
      'f: !!set {x, y}',
      'g: !!python/tuple [1, two]',
      'h: !!str 5',
      'i: !unknown 5',
    ),
  ).toEqual({
    a: { b: 1 },
    c: ['rm'],
    d: '/x/',
    e: '() => 1',
    f: { x: null, y: null },
    g: [1, 'two'],
    h: '5',
    i: 5,
  })
})

test('bytes have the tag of YAML, or the one that Ruby writes', () => {
  const bytes = Buffer.from([0, 255])
  expect(read('a: !!binary AP8=', 'b: !binary |-', '  AP', '  8=')).toEqual({ a: bytes, b: bytes })
})

test('a key that is no text is the first text in it', () => {
  expect(read('? [a, b]', ': 1', '? {c: d}', ': 2', '5: 3', '? !!binary ZQ==', ': 4')).toEqual({
    a: 1,
    d: 2,
    5: 3,
    e: 4,
  })
})

test('a key named __proto__ is a key', () => {
  const value = read('__proto__: {a: 1}') as object
  expect(Object.keys(value)).toEqual(['__proto__'])
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
})

test('what stands elsewhere is repeated', () => {
  expect(read('a: &one [1, 2]', 'b: *one', 'c: {d: *one}')).toEqual({
    a: [1, 2],
    b: [1, 2],
    c: { d: [1, 2] },
  })
})

test('a billion laughs are refused', async () => {
  const lines = ['a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]']
  for (let level = 1; level < 10; level++) {
    const before = Array.from({ length: 9 }, () => `*a${level - 1}`)
    lines.push(`a${level}: &a${level} [${before.join(', ')}]`)
  }
  const laugh = (): unknown => read(...lines)
  expect(laugh).toThrow(coded('invalid-cassette'))
  expect(laugh).toThrow(' 1000000 ')
  await expectGolden(await failureHeadOf(laugh), 'aliases')
})

test.for([
  ['an alias of nothing', 'a: *b', /: .*\bb\b/],
  ['two documents', 'a: 1\n---\nb: 2', / YAML: ./],
  ['a bracket that stays open', 'a: [1,', / at line 1\b/],
  ['a text that stays open', 'a: "1', / at line 1\b/],
  ['wrong indentation', 'a:\n  b: 1\n c: 2', / at line 3\b/],
  ['tabs', 'a:\n\tb: 1', / at line 2\b/],
  ['depth', '['.repeat(5000), /^a\.yaml /],
] as const)('%s is refused', ([, text, names]) => {
  expect(() => read(text)).toThrow(coded('invalid-cassette'))
  expect(() => read(text)).toThrow(names)
})

test.for([
  ['alias-in-itself', 'a: &b [*b]'],
  ['too-deep', `${'['.repeat(2000)}${']'.repeat(2000)}`],
])('%s: YAML that is no tree, or nested too deeply, is refused', async ([name, text]) => {
  const open = (): unknown => read(text!)
  expect(open).toThrow(coded('invalid-cassette'))
  await expectGolden(await failureHeadOf(open), name!)
})

test('values that the library writes come back', () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('true', '12e34', '0x1f', '1:30', '~', '- a', ': ', '|', '5', '\n a\n\n'),
  )
  const scalar = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null))
  const list = fc.array(scalar, { maxLength: 4 })
  const value = fc.oneof(scalar, list, fc.dictionary(text, fc.oneof(scalar, list), { maxKeys: 4 }))
  fc.assert(
    fc.property(value, (one) => {
      expect(JSON.stringify(readYaml(stringify({ one }), 'a.yaml'))).toBe(JSON.stringify({ one }))
    }),
  )
})

test('no text makes anything but a value or a clear error', () => {
  const piece = fc.constantFrom(
    'a',
    ': ',
    '- ',
    '\n',
    '  ',
    '!!',
    '&x ',
    '*x',
    '[',
    '}',
    '"',
    '|',
    '%',
    '? ',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      try {
        readYaml(pieces.join(''), 'a.yaml')
      } catch (error) {
        expect(error).toMatchObject({ code: 'invalid-cassette' })
      }
    }),
  )
})
