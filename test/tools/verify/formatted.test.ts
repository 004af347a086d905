import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CassetteStore } from '../../../src/cassette/store.ts'
import { jsonTokens } from '../../../src/json/json-tokens.ts'
import { explainMiss } from '../../explain/as-reported.ts'
import { parseJson, type JsonObject, type JsonValue } from '../../../src/json/json-value.ts'
import { keepUnchanged } from '../../../src/recording/keep-unchanged.ts'
import { openExample, question, recorded } from '../../engine/example-session.ts'
import { coded, expectGolden, failureOf } from '../../golden.ts'
import { CliProject } from '../run-cli.ts'

const PATH = 'a.test.ts/asks-5d04b8bb22.json'
const cassette = recorded(
  [question('long '.repeat(30)), 'answer \u202e'],
  [question('again', { temperature: 0.5 }), 'another'],
)

/** A project with one recording, whose text was changed. */
async function changed(change: (text: string) => string): Promise<{
  project: CliProject
  store: CassetteStore
  file: string
  before: string
}> {
  const project = new CliProject()
  project.writeTest(cassette)
  await project.save(PATH, cassette)
  const file = join(project.root, '__recordings__', PATH)
  const before = readFileSync(file, 'utf8')
  writeFileSync(file, change(before))
  return { project, store: new CassetteStore(project.root, '__recordings__', 1e9), file, before }
}

const tokens = (text: string): string[] => Array.from(jsonTokens(text), ({ token }) => token)

const LAYOUTS: Record<string, (text: string) => string> = {
  'on one line': (text) => tokens(text).join(''),
  'each token on a line': (text) => tokens(text).join('\n\t'),
  'without a last line end': (text) => text.trimEnd(),
  'with Windows line ends and more': (text) => `\uFEFF${tokens(text).join('\r\n')}`,
}

test.for(Object.keys(LAYOUTS))(
  'a recording laid out %s replays, is named with its cause, and comes back byte for byte',
  async (layout) => {
    const { project, store, file, before } = await changed(LAYOUTS[layout]!)
    using _ = project
    expect(store.load(PATH)).toEqual(cassette)
    const { code, out } = await project.run('verify')
    expect([code, out.match(/ form {2}/g)?.length]).toEqual([1, 1])
    expect(out).toContain('npx vitest-cassette verify --fix-layout')
    expect(out).toContain('npx vitest-cassette init')

    const fixed = await project.run('verify', '--fix-layout')
    await expectGolden(fixed.out, 'restored')
    expect(readFileSync(file, 'utf8')).toBe(before)
    const again = await project.run('verify', '--fix-layout')
    expect(again).toEqual(await project.run('verify'))
  },
)

test.for(Object.keys(LAYOUTS))(
  'a recording laid out %s gets its layout back when it is recorded again',
  async (layout) => {
    const { project, store, file, before } = await changed(LAYOUTS[layout]!)
    using _ = project
    await store.save(PATH, cassette, keepUnchanged())
    expect(readFileSync(file, 'utf8')).toBe(before)
  },
)

test('nothing but the layout is restored', async () => {
  const { project, file } = await changed((text) =>
    tokens(text.replace('"another"', '"another one"')).join('\n'),
  )
  using _ = project
  expect((await project.run('verify', '--fix-layout')).code).toBe(1)
  expect(readFileSync(file, 'utf8')).toContain('"another one"')
})

test('sorted keys are named with their cause, and nothing but git or a recording brings them back', async () => {
  const { project, file } = await changed(
    (text) => `${JSON.stringify(sorted(parseJson(text)), null, 2)}\n`,
  )
  using _ = project
  const text = readFileSync(file, 'utf8')
  const { code, out } = await project.run('verify', '--fix-layout')
  expect([code, out.match(/ seal {2}/g)?.length]).toEqual([1, 1])
  expect(out).toContain('npx vitest-cassette init')
  const line = out.split('\n').find((one) => one.includes(' seal '))!
  await expectGolden(line, 'sorted-keys')
  expect(parseJson(readFileSync(file, 'utf8'))).toEqual(parseJson(text))
})

test('a request of which nothing but the order of keys differs is told that they may have been sorted', async () => {
  const tools = (...names: string[]): JsonObject => ({
    tools: [
      {
        type: 'function',
        function: {
          name: 'find',
          parameters: {
            type: 'object',
            properties: Object.fromEntries(names.map((name) => [name, {}])),
          },
        },
      },
    ],
  })
  const details = (...names: string[]): string => {
    const session = openExample(recorded([question('a', tools('city', 'at')), 'answer']))
    session.answer(question('a', tools(...names)), { order: 0 })
    return explainMiss(session, session.misses[0]!, false).details
  }
  const command = 'npx vitest-cassette verify'
  expect(details('at', 'city')).toContain(command)
  expect(details('city', 'in')).not.toContain(command)
  await expectGolden(details('at', 'city').split('\n\n').at(-1)!, 'tools-in-another-order')
})

test('trailing commas are named with their cause', async () => {
  const { project, store } = await changed((text) => text.replace(/\}\n\s*\]\n/, '},\n  ],\n'))
  using _ = project
  expect(() => store.load(PATH)).toThrow(coded('invalid-cassette'))
  const failure = await failureOf(() => store.load(PATH))
  expect(failure).toMatch(/trailingCommas[^]*npx vitest-cassette init/)
  // The lines before are about the syntax, in the words of Node.
  await expectGolden(failure.split('\n').at(-1)!, 'trailing-commas')
  const { code, out } = await project.run('verify')
  expect([code, out.includes('trailingCommas')]).toEqual([1, true])
})

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value as Record<string, JsonValue>)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  )
}
