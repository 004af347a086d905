import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, expectTypeOf, test } from 'vitest'
import { type CassetteOptions, fillOptions, type TestOptions } from '../../src/config/options.ts'
import { parseOptions } from '../../src/config/parse-options.ts'
import { type ResolvedConfig, resolveConfig } from '../../src/config/resolved-config.ts'
import { writeTypes } from '../../tooling/written-types.ts'
import { valueOfDefault } from './value-of-default.ts'

const source = readFileSync(join(import.meta.dirname, '../../src/config/options.ts'), 'utf8')
const filled: Record<string, unknown> = fillOptions({})

test('each option says to editors what it is, and which default the schema fills in', () => {
  const shape = source.slice(source.indexOf('export const optionsSchema'))
  const said = Array.from(shape.matchAll(/\/\*\*((?:(?!\*\/).)+)\*\/\n {2}(\w+): /gs))
  expect(said.map(([, , name]) => name)).toEqual(expect.arrayContaining(Object.keys(filled)))
  for (const [, comment, name] of said) {
    const [, written = 'no limit'] = /@default (.+)/.exec(comment!) ?? []
    expect(valueOfDefault(written), name).toEqual(filled[name!])
  }
})

test('every config has lists of its own', () => {
  const [one, other] = [{}, { hosts: undefined }].map((options) =>
    resolveConfig(options, { ci: false, recordInCi: false }),
  )
  expect(one).toEqual(other)
  expect(one!.hosts).not.toBe(other!.hosts)
})

test('the types of the options are inferred, and one that none has is no option', () => {
  // @ts-expect-error -- misspelt
  const wrong: CassetteOptions = { mod: 'all' }
  expect(() => parseOptions(wrong)).toThrow(/ mod: /)
  expectTypeOf<CassetteOptions['unused']>().toEqualTypeOf<'fail' | 'warn' | undefined>()
  expectTypeOf<ResolvedConfig['hosts']>().toEqualTypeOf<string[]>()
  expectTypeOf<TestOptions>().toHaveProperty('repeats')
  expectTypeOf<TestOptions>().not.toHaveProperty('maxCassetteBytes')
})

test('the declarations that ship write an inferred type out, with the comments of the schema', () => {
  const made = 'declare const make: () => {\n  dir?: string;\n  in?: {\n    it: 1;\n  };\n};\n'
  const schema =
    'const all = z.strictObject({\n  /**\n   * The folder.\n   */\n  dir: text,\n  /** More. */\n  in: z.strictObject({\n    /** It. */\n    it: one,\n  }),\n})\nconst make = () => 0\n'
  const code = `${made}/** All. */\ninterface All extends ReturnType<typeof make> {\n  more?: 1;\n}\n`
  expect(writeTypes(code, ['const other = 1', schema])).toBe(
    '/** All. */\ninterface All {\n  /**\n   * The folder.\n   */\n  dir?: string;\n  /** More. */\n  in?: {\n    /** It. */\n    it: 1;\n  };\n\n  more?: 1;\n}\n',
  )
  const silent = schema.replace('  /** More. */\n', '')
  expect(() => writeTypes(code, [silent])).toThrow(/^in /)
})
