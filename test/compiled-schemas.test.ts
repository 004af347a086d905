import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import * as checks from '../src/json/checks.ts'
import { compileSchemas } from '../tooling/compile-schema.ts'
import { COMPILED, compiledSchemas } from '../tooling/compiled-schemas.ts'
import * as patterns from '../src/cassette/patterns.ts'
import * as options from '../src/config/option-values.ts'

mkdirSync(join(import.meta.dirname, '.tmp'), { recursive: true })
const folder = mkdtempSync(join(import.meta.dirname, '.tmp/compiled-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Every kind of schema that can be compiled. */
const SCHEMAS = {
  text: z.string(),
  'text of a length': z.string().check(z.minLength(1)),
  'text of a pattern': z.string().check(z.regex(/^[a-z'"\\]+$/)),
  date: z.iso.datetime(),
  address: z.url({ protocol: /^https?$/ }),
  number: z.number().check(z.nonnegative()),
  'number between others': z.number().check(z.gt(1), z.lt(3)),
  'whole number': z.int().check(z.minimum(1), z.maximum(16)),
  flag: z.boolean(),
  word: z.enum(['a', "it's", '"']),
  'one word': z.literal('a'),
  'one of several': z.literal(['a', 1, true]),
  list: z.array(z.string()),
  'one or the other': z.union([z.string(), z.array(z.number())]),
  record: z.record(z.string().check(z.minLength(1)), z.number()),
  'record of some': z.partialRecord(z.enum(['a', 'b']), z.string()),
  object: z.strictObject({
    a: z.string(),
    b: z.optional(z.union([z.number(), z.string()])),
    'c-d': z.optional(z.unknown()),
    e: z.optional(z.never()),
  }),
  'object of anything': z.strictObject({ a: z.unknown() }),
  'object that fits together': z
    .strictObject({ text: z.optional(z.string()), error: z.optional(z.string()) })
    .check(z.refine(patterns.saysSomething)),
  'value of our own': z.custom(options.isDays),
}

const VALUES = [
  [undefined, null, true, false, -1, 0, 1, 1.5, 2, 3, 16, 17, Number.NaN, Infinity, 2 ** 53],
  ['', 'a', 'b', "it's", '"', '\\', 'A', '1', '2026-02-28T00:00:00Z', '2026-02-30T00:00:00Z'],
  ['https://example.com', 'ftp://example.com', 'https://', [], ['a'], [1], [undefined], [['a']]],
  [{}, { a: 'a' }, { a: 1 }, { a: 3 }, { b: 1 }, { a: 'a', b: 1 }, { a: 'a', b: [] }, { '': 1 }],
  [
    { text: 'a' },
    { text: 1 },
    { a: 'a', 'c-d': 1 },
    { a: 'a', e: 1 },
    { a: 'a', f: 1 },
    { a: 'a', b: 'b' },
    new Map(),
    /a/,
  ],
].flat() as unknown[]

test.each(Object.keys(COMPILED))(
  'what is put in the place of %s exports the same',
  async (file) => {
    const namesIn = (text: string): string[] =>
      Array.from(text.matchAll(/^export const (\w+)/gm), ([, name]) => name!)
    const compiled = (await compiledSchemas.load(join(import.meta.dirname, '..', file)))!
    const asked = namesIn(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'))
    expect(namesIn(compiled)).toEqual(asked)
    expect(asked.length).toBeGreaterThan(0)
    expect(compiled).not.toContain('zod')
  },
)

test('what is compiled says what zod says, of every kind of schema', async () => {
  const names = Object.keys(SCHEMAS)
  const schemas = Object.fromEntries(Object.values(SCHEMAS).map((one, at) => [`isValid${at}`, one]))
  const file = join(folder, 'compiled.ts')
  const up = '../../../src'
  const functions = {
    [`${up}/json/checks.ts`]: checks,
    [`${up}/cassette/patterns.ts`]: patterns,
    [`${up}/config/option-values.ts`]: options,
  }
  writeFileSync(file, compileSchemas(schemas, functions))
  const compiled = (await import(file)) as Record<string, (value: unknown) => boolean>
  for (const [at, name] of names.entries()) {
    const said = VALUES.map((value) => compiled[`isValid${at}`]!(value))
    const meant = VALUES.map((value) => z.safeParse(schemas[`isValid${at}`]!, value).success)
    expect(said, name).toEqual(meant)
    // Else nothing was asked.
    expect(new Set(said).size, name).toBe(2)
  }
})

test.each([
  ['an object that lets other fields in', z.object({ a: z.string() }), 'Only strict objects'],
  ['a text of a form that is more than a pattern', z.ipv6(), 'The format ipv6'],
  ['a function that nobody exports', z.custom(() => true), 'No module is known'],
  ['a kind of number', z.int32(), 'The numbers int32'],
  ['a kind of check', z.string().check(z.trim()), 'The check overwrite'],
  ['a kind of schema', z.date(), 'type date'],
])('%s is not compiled, rather than compiled wrong', (_, schema, message) => {
  expect(() => compileSchemas({ isValid: schema }, { './checks.ts': checks })).toThrow(message)
})
