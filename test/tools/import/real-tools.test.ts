import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM } from '../../../examples/screen-agent/test/chromium.ts'
import type { ForeignExchange, ForeignRecording } from '../../../src/tools/import/foreign.ts'
import { needs } from '../../needs.ts'
import { ForeignFolder, foreignFolder, pieces, received, sent } from './foreign-folder.ts'
import { leftOutAs } from './left-out.ts'
import { replayed } from './replayed.ts'

const RECORD_WITH = fileURLToPath(new URL('record-with.mjs', import.meta.url))

/** What a tool as it is today records, read. */
function recordedWith(tool: string, name: string): ForeignRecording[] {
  const folder = foreignFolder()
  const target = join(folder.path, name)
  if (!name.includes('.')) mkdirSync(target)
  const { status, stderr } = spawnSync(process.execPath, [RECORD_WITH, tool, target], {
    encoding: 'utf8',
    timeout: 60_000,
  })
  expect([status, status === 0 ? '' : stderr]).toEqual([0, ''])
  const { recordings, unread } = folder.read()
  expect(unread).toEqual([])
  return recordings
}

function pathOf({ request }: ForeignExchange): string {
  return request.url!.replace(/^http:\/\/[\d.]+:\d+/, '')
}

test.for(['nock', 'undici'])('what %s records today is read whole', (tool) => {
  const [recording] = recordedWith(tool, 'recording.json')
  expect(recording).toMatchObject({ format: tool, leftOut: new Map() })
  const [json, packed, stream, binary, upload, got] = recording!.exchanges
  expect(recording!.exchanges.map(pathOf)).toEqual([
    '/json?a=%20b',
    '/packed',
    '/stream',
    '/binary',
    '/json',
    '/json',
  ])
  expect(sent(json!)).toBe('{"path":"/json?a=%20b","n":1}')
  // nock parses JSON.
  expect(received(json!)).toBe(tool === 'nock' ? '{"ok":1}' : '{"ok": 1.0}')
  expect(received(packed!)).toBe('{"packed": true}')
  expect(pieces(stream!)).toHaveLength(3)
  expect([...(binary!.response.body as Uint8Array)]).toEqual([0, 255, 254, 1])
  expect([...upload!.request.body!]).toEqual([255, 254, 253, 0])
  expect([got!.request.method, sent(got!)]).toEqual(['GET', ''])
  expect(new Map(json!.request.headers).get('authorization')).toBe('Bearer nobody')
})

test('what aimock records today is read as words', () => {
  const [recording] = recordedWith('aimock', 'fixtures')
  const [exchange] = recording!.exchanges
  expect(exchange!.response.written).toEqual({ text: 'Hello' })
  expect(exchange!.request.rules).toContain('userMessage: "Hello?"')
})

describe('what Playwright records', needs('chromium'), () => {
  const RECORD_PAGES = fileURLToPath(new URL('record-pages.mjs', import.meta.url))
  let folder: ForeignFolder
  let answers: string[]

  beforeAll(() => {
    folder = new ForeignFolder()
    const args = [RECORD_PAGES, CHROMIUM!, folder.path]
    const { stdout, stderr } = spawnSync(process.execPath, args, {
      encoding: 'utf8',
      timeout: 120_000,
    })
    expect(stdout, stderr).not.toBe('')
    answers = (JSON.parse(stdout) as string[]).map((one) => Buffer.from(one, 'base64').toString())
    return () => folder.remove()
  }, 130_000)

  const calls = ({ exchanges }: ForeignRecording): ForeignExchange[] =>
    exchanges.filter(({ request }) => request.method === 'POST')

  test.for(['full-attach', 'full-embed', 'minimal-attach', 'minimal-embed'])(
    'as %s is read whole, and replays the recorded bytes',
    (name) => {
      const { recordings, unread } = folder.read({}, [`${name}/a.har`])
      expect(unread).toEqual([])
      const [recording] = recordings as [ForeignRecording]
      expect(calls(recording).map(received)).toEqual(answers)
      const [plain, , , stream, , form] = calls(recording)
      expect(sent(plain!)).toContain('plain é')
      expect(pieces(stream!)).toHaveLength(3)
      // Browsers do not tell it what they send of a form with a file.
      expect(sent(form!)).toBeUndefined()
      const outcomes = replayed({ ...recording, exchanges: calls(recording) })
      expect(outcomes.map(({ outcome }) => outcome)).toEqual([
        ...Array.from({ length: 5 }, () => 'replayed'),
        'unasked',
      ])
    },
  )

  test.for(['full-omit', 'minimal-omit'])('as %s has no answers, and says so', (name) => {
    const { recordings } = folder.read({}, [`${name}/a.har`])
    expect(recordings[0]).toMatchObject({
      exchanges: [],
      leftOut: new Map([[leftOutAs('unheld body'), 7]]),
    })
  })

  test('as an archive says what to do', () => {
    const { unread } = folder.read({}, ['full-attach/a.zip'])
    expect(unread[0]!.reason).toContain('unzip a.zip -d a && npx vitest-cassette import a')
  })
})
