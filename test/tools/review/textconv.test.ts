import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Cassette, RecordedExchange } from '../../../src/cassette/cassette.ts'
import { encodeCassette } from '../../../src/cassette/encode.ts'
import { printSealed } from '../../../src/cassette/format.ts'
import { question, recorded } from '../../engine/example-session.ts'
import { expectGolden } from '../../golden.ts'
import { CliProject } from '../run-cli.ts'

/** The lines that git compares for a file. */
async function linesOf(text: string): Promise<string[]> {
  using project = new CliProject()
  writeFileSync(join(project.root, 'a.json'), text)
  const { out } = await project.run('diff', '--textconv', 'a.json')
  return out.split('\n')
}

const written = (cassette: Cassette): string =>
  printSealed(encodeCassette(cassette, 'schema.json').stored)

const base = recorded([question('Hi'), 'Ho'])

type Change = (exchange: RecordedExchange, cassette: Cassette) => void

const CHANGES: Array<[what: string, change: Change, line: string | RegExp]> = [
  ['a kept answer', ({ response }) => Object.assign(response, { kept: true }), / {2}kept: /],
  [
    'the address',
    ({ wire }) =>
      Object.assign(wire.request, { url: 'http://127.0.0.1:4110/v9/chat/completions?a=1' }),
    'address: POST localhost /v9/chat/completions?a=1',
  ],
  ['the status', ({ wire }) => Object.assign(wire.response, { status: 404 }), '  status: 404'],
  ['a broken connection', ({ wire }) => Object.assign(wire.response, { cut: true }), / {2}cut: /],
  [
    'a client that gave up',
    ({ wire }) => Object.assign(wire.response, { aborted: 'before-headers' }),
    / {2}aborted: /,
  ],
  [
    'a header that counts',
    ({ wire }) => Object.assign(wire.request, { headers: { 'anthropic-beta': 'a' } }),
    '  anthropic-beta: a',
  ],
  [
    'what an imported request does not tell',
    ({ wire }) =>
      Object.assign(wire.request, { imported: { from: 'har', unknown: ['host', 'headers'] } }),
    /imported: .* har; .*: host, headers$/,
  ],
  [
    'an answer that a person wrote',
    ({ wire }) => delete (wire as Partial<typeof wire>).response,
    '  written by hand: true',
  ],
  [
    'the day of the recording',
    (_, cassette) => (cassette.oldestAnswer = '2025-01-02T00:00:00.000Z'),
    `recorded: ${base.timestamp.slice(0, 10)} (oldest answer: 2025-01-02)`,
  ],
  [
    'that it is invalid',
    (_, cassette) =>
      Object.assign(cassette, { invalid: { reason: 'wrong', since: base.timestamp } }),
    '  reason: wrong',
  ],
]

/** The lines that a change brings. */
async function newLinesOf(change: Change): Promise<string[]> {
  const cassette = structuredClone(base)
  change(cassette.exchanges[0] as RecordedExchange, cassette)
  const before = await linesOf(written(base))
  // The last line is the hash of the file.
  const after = (await linesOf(written(cassette))).filter(Boolean).slice(0, -1)
  return after.filter((line) => !before.includes(line))
}

test.for(CHANGES)('shows what changes how a test is judged: %s', async ([, change, line]) => {
  expect(await newLinesOf(change)).toContainEqual(
    typeof line === 'string' ? line : expect.stringMatching(line),
  )
})

test('a mark is explained beside its name', async () => {
  const texts: string[] = []
  for (const [what, change] of CHANGES) texts.push([what, ...(await newLinesOf(change))].join('\n'))
  await expectGolden(texts.join('\n\n'), 'changes')
})

test('shows that a recorded answer was edited', async () => {
  const whole = written(base)
  const edited = whole.replaceAll('"Ho"', '"Hum"')
  expect(edited).not.toBe(whole)
  expect(await linesOf(whole)).not.toContain('edited by hand: true')
  expect(await linesOf(edited)).toContain('edited by hand: true')
})
