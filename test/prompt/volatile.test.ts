import { describe, expect, test } from 'vitest'
import type { VolatileRule } from '../../src/config/volatile-rule.ts'
import type { JsonValue } from '../../src/json/json-value.ts'
import { runBounded } from '../../src/engine/incoming.ts'
import { canonicalBody } from '../../src/prompt/canonical.ts'
import { VolatileValues } from '../../src/prompt/volatile.ts'
import { compileRules } from '../../src/prompt/volatile-rules.ts'
import { coded, expectGolden, failureOf } from '../golden.ts'

function canonical(body: JsonValue, ...rules: VolatileRule[]): string {
  return JSON.stringify(canonicalBody(body, { volatile: new VolatileValues(compileRules(rules)) }))
}

test.for(['$.metadata.user_id', '$.metadata[*]'] as const)(
  'what stands at a declared path (%s) may differ',
  (path) => {
    const body = (id: string): JsonValue => ({ metadata: { user_id: id }, model: 'gpt-5' })
    expect(canonical(body('a'), path)).toBe(canonical(body('b'), path))
    expect(canonical(body('a'))).not.toBe(canonical(body('b')))
  },
)

test('a path leaves everything beside it exact', () => {
  const rule = '$.messages[*].id'
  const body = (id: string, text: string): JsonValue => ({ id, messages: [{ id, text }] })
  expect(canonical(body('a', 'x'), rule)).not.toBe(canonical(body('a', 'y'), rule))
  expect(canonical({ id: 'a', messages: [] }, rule)).not.toBe(
    canonical({ id: 'b', messages: [] }, rule),
  )
})

test('a volatile value that is missing is not one that differs', () => {
  const rule = '$.trace.id'
  expect(canonical({ trace: { id: 'x' } }, rule)).not.toBe(canonical({ trace: {} }, rule))
})

function findDates(text: string): string[] {
  return text.match(/\d{4}-\d\d-\d\d/g) ?? []
}

describe.for([
  ['a function', findDates],
  ['a name', 'date-phrase'],
  ['a pattern', /\d{4}-\d\d-\d\d/],
  ['one with g', /\d{4}-\d\d-\d\d/g],
  ['one with y', /\d{4}-\d\d-\d\d/y],
] as Array<[string, VolatileRule]>)('what %s finds', ([, rule]) => {
  const dates = (one: string, other: string): string => canonical([`from ${one} to ${other}`], rule)

  test('may differ', () => {
    expect(dates('2026-01-01', '2026-01-02')).toBe(dates('2027-05-05', '2027-06-06'))
    expect(dates('2026-01-01', 'today')).not.toBe(dates('2026-01-01', 'tomorrow'))
  })

  test('keeps its identity', () => {
    expect(dates('2026-01-01', '2026-01-01')).not.toBe(dates('2026-01-01', '2026-01-02'))
    expect(dates('2026-01-01', '2026-01-01')).toBe(dates('2026-01-02', '2026-01-02'))
  })

  test('does not vary in the name of a model or a version', () => {
    for (const field of ['model', 'anthropic_version', 'api-version', 'apiVersion'])
      expect(canonical({ [field]: '2026-01-01' }, rule)).not.toBe(
        canonical({ [field]: '2026-01-02' }, rule),
      )
  })
})

test('a function that returns nothing fails by its name', async () => {
  function forgetsToReturn(): never {
    return undefined as never
  }
  const failing: Array<() => unknown> = [
    () => canonical(['text'], forgetsToReturn),
    () => canonical(['text'], () => 'text' as never),
  ]
  for (const find of failing) expect(find).toThrow(coded('invalid-option'))
  expect(failing[0]).toThrow('forgetsToReturn')
  expect(failing[1]).toThrow('"text"')
  const failures = await Promise.all(failing.map(failureOf))
  await expectGolden(failures.join('\n\n'), 'no-list')
})

test('a function that throws fails by its name', () => {
  function breaks(): never {
    throw new Error('broken')
  }
  expect(() => canonical(['text'], breaks)).toThrow(/breaks threw: Error: broken/)
})

test('a function that finds everything is refused, and one that finds nothing is no trap', async () => {
  const findAll = (text: string): string[] => [text]
  const covers = (): unknown => canonical(['a', 'a'], findAll)
  expect(covers).toThrow(coded('invalid-option'))
  expect(covers).toThrow(' findAll ')
  await expectGolden(await failureOf(covers), 'covers-the-prompt')
  expect(canonical(['a'], () => [''])).toBe(canonical(['a']))
})

test('a pattern that matches nothing somewhere finds nothing there', () => {
  expect(canonical(['id: 7'], /(?<=id: )\w*/)).toBe(canonical(['id: 8'], /(?<=id: )\w*/))
  expect(canonical(['id: '], /(?<=id: )\w*/)).toBe(canonical(['id: ']))
})

test('a pattern that takes for ever is ended, and named', async () => {
  const rule = /^(\w+\s?)+$/
  const text = `${'a'.repeat(40)}!`
  const failure = await failureOf(() => runBounded(() => canonical([text], rule), [rule]))
  expect(failure).toMatch(/^invalid-option\n/)
  expect(failure).toContain(` ${String(rule)}`)
  await expectGolden(failure, 'takes-for-ever')
})

test('a text that looks like a placeholder is none', () => {
  const placed = canonical(['2026-01-01'], findDates)
  expect(canonical([JSON.parse(placed)[0] as string])).not.toBe(placed)
  expect(canonical([JSON.parse(placed)[0] as string], findDates)).not.toBe(placed)
})

test('a date does not become an id', () => {
  const id = '3f2b8c1e-5d4a-4c6b-9e8f-0a1b2c3d4e5f'
  expect(canonical(['at 2026-01-01'], 'uuid', 'date-phrase')).not.toBe(
    canonical([`at ${id}`], 'uuid', 'date-phrase'),
  )
})

test('a number that tells the time may differ', () => {
  const at = (value: JsonValue): string => canonical({ at: value }, 'epoch')
  expect(at(1_732_212_345)).toBe(at(1_732_212_999))
  expect(at(1_732_212_345_678)).toBe(at(1_732_212_345_679))
  expect(at(1_732_212_345)).not.toBe(at('at 1732212345'))
  expect(at(2_025_550_123)).not.toBe(at(2_025_550_124))
  expect(at(4096)).not.toBe(at(8192))
})

test('is found in keys, in numbers, and in the texts, keys and numbers of JSON in a text', () => {
  const [id, other] = [1, 2].map((digit) => `${digit}`.repeat(8) + '-1111-1111-1111-111111111111')
  const body: JsonValue = {
    s: `{"id": "\\n${id}", "t":1700000000, "${other}": 1}`,
    n: 1_700_000_001,
    k: { [other!]: 1.5 },
    version: [id!],
  }
  const uuid = (number: number): string => `\u0000volatile:uuid:${number}\u0000`
  const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)
  expect(JSON.parse(canonical(body, 'uuid', 'epoch'))).toEqual({
    k: { [uuid(1)]: 1.5 },
    n: '\u0000volatile:epoch\u0000',
    s: `{"id": "\\n${inJson(uuid(2))}", "t":"${inJson('\u0000volatile:epoch\u0000')}", "${inJson(uuid(1))}": 1}`,
    version: [id],
  })
})

test('a path has the type of its value in its mark, unless that is a text', () => {
  const values = ['a', 1, true, null, [1], { a: 1 }]
  const marks = values.map((value, index) => {
    const form = JSON.parse(canonical({ metadata: { a: value } }, '$.metadata.a')) as JsonValue
    expect(form).toMatchObject({ metadata: { a: expect.stringMatching(/:1$/) } })
    return `${index} ${(form as { metadata: { a: string } }).metadata.a}`
  })
  const types = ['', 'number:', 'boolean:', 'null:', 'array:', 'object:']
  expect(marks).toEqual(types.map((type, index) => `${index} \u0000volatile:$.metadata.a:${type}1`))
})

test('long base64 is not searched', () => {
  const picture = `data:image/png;base64,${'A'.repeat(2_000)}+0123456789abcdef0123456789abcdef`
  expect(JSON.parse(canonical([picture], 'hex-id'))).toEqual([picture])
})
