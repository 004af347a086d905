import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { ForeignExchange, ForeignRecording } from '../../../src/tools/import/foreign.ts'
import { foreignFolder, pieces, received, sent } from './foreign-folder.ts'

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
