import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Cassette, RecordedExchange } from '../../../src/cassette/cassette.ts'
import { encodeCassette } from '../../../src/cassette/encode.ts'
import { printCassette } from '../../../src/cassette/format.ts'
import { withFileHash } from '../../../src/cassette/parse.ts'
import { question, recorded } from '../../engine/example-session.ts'
import { CliProject } from '../run-cli.ts'

/** The lines that git compares for a file. */
async function linesOf(text: string): Promise<string[]> {
  using project = new CliProject()
  writeFileSync(join(project.root, 'a.json'), text)
  const { out } = await project.run('diff', '--textconv', 'a.json')
  return out.split('\n')
}

const written = (cassette: Cassette): string =>
  printCassette(withFileHash(encodeCassette(cassette, 'schema.json').stored))

const base = recorded([question('Hi'), 'Ho'])

test.for<
  [what: string, change: (exchange: RecordedExchange, cassette: Cassette) => void, line: string]
>([
  [
    'an answer that was kept',
    ({ response }) => Object.assign(response, { kept: true }),
    '  kept: it was given to an earlier prompt, and no model was asked this one',
  ],
  [
    'the address',
    ({ wire }) =>
      Object.assign(wire.request, { url: 'http://127.0.0.1:4110/v9/chat/completions?a=1' }),
    'address: POST localhost /v9/chat/completions?a=1',
  ],
  ['the status', ({ wire }) => Object.assign(wire.response, { status: 404 }), '  status: 404'],
  [
    'a broken connection',
    ({ wire }) => Object.assign(wire.response, { cut: true }),
    '  cut: the connection broke',
  ],
  [
    'a client that gave up',
    ({ wire }) => Object.assign(wire.response, { aborted: 'before-headers' }),
    '  aborted: the client gave up before the answer',
  ],
  [
    'a header that counts',
    ({ wire }) => Object.assign(wire.request, { headers: { 'anthropic-beta': 'a' } }),
    '  anthropic-beta: a',
  ],
  [
    'headers that are unknown',
    ({ wire }) => Object.assign(wire.request, { older: 'headers' }),
    'unknown headers:',
  ],
  [
    'what an imported request does not tell',
    ({ wire }) => Object.assign(wire.request, { imported: { from: 'har', unknown: ['host'] } }),
    'imported: it was imported (har), and this does not count: its host',
  ],
  [
    'an answer that a person wrote',
    ({ wire }) => delete (wire as Partial<typeof wire>).response,
    '  written by hand: true',
  ],
  [
    'the day of the recording',
    (_, cassette) => (cassette.oldestAnswer = '2025-01-02T00:00:00.000Z'),
    `recorded: 2025-01-02 to ${base.timestamp.slice(0, 10)}`,
  ],
  [
    'that it is invalid',
    (_, cassette) =>
      Object.assign(cassette, { invalid: { reason: 'wrong', since: base.timestamp } }),
    '  reason: wrong',
  ],
])('shows what changes how a test is judged: %s', async ([, change, line]) => {
  const cassette = structuredClone(base)
  change(cassette.exchanges[0] as RecordedExchange, cassette)
  expect(await linesOf(written(base))).not.toContain(line)
  expect(await linesOf(written(cassette))).toContain(line)
})

test('shows that a recorded answer was edited', async () => {
  const whole = written(base)
  const edited = whole.replaceAll('"Ho"', '"Hum"')
  expect(edited).not.toBe(whole)
  expect(await linesOf(whole)).not.toContain('edited by hand: exchanges')
  expect(await linesOf(edited)).toContain('edited by hand: exchanges')
})
