import { beforeAll, expect, test } from 'vitest'
import { startUpstream } from '../upstream/start-upstream.ts'
import { VitestProject } from './vitest-project.ts'

let project: VitestProject

beforeAll(async () => {
  const upstream = await startUpstream()
  project = new VitestProject('owned-by-caller', { ODD_URL: upstream.oddUrl })
  const plain = await project.run([], { PLAIN: '1', RESULTS: 'plain' })
  expect(plain.exitCode, plain.output).toBe(0)
  const recording = await project.record([], { RESULTS: 'recorded' })
  expect(recording.exitCode, recording.output).toBe(0)
  await upstream.stop()
  const replay = await project.run([], { RESULTS: 'replayed' })
  expect(replay.exitCode, replay.output).toBe(0)
})

test('what a caller changes after the call is sent as without the plugin, recorded as sent, and found', () => {
  const files = project.files('plain')
  expect(files.length).toBeGreaterThan(35)
  for (const file of files) {
    // The provider here speaks HTTP/1 alone, which the bridge for HTTP/2 does too.
    const sent = project.json(file.startsWith('http2') ? `recorded/${file}` : `plain/${file}`)
    expect({ [file]: project.json(`recorded/${file}`) }).toEqual({ [file]: sent })
    expect({ [file]: project.json(`replayed/${file}`) }).toEqual({ [file]: sent })
  }
})

test('clients that take what they are given at the call send that, and others what they find', () => {
  expect(recorded('fetch-of-a-Headers-at-once')).toContain('before (before)')
  expect(recorded('fetch-at-once')).toContain('before (before)')
  expect(recorded('node-http-end-at-once')).toContain('after  (before)')
  expect(recorded('node-http-end-taken')).toContain('before (before)')
  expect(recorded('http2-taken')).toContain('before (before)')
})

test('each option of fetch is read once, also one that is inherited', () => {
  expect(project.json('recorded/getters.json').reads).toEqual(['body', 'headers', 'method'])
  expect(recorded('inherited')).toContain('before (before)')
})

const recorded = (name: string): string => project.read(`recorded/${name}.json`)
