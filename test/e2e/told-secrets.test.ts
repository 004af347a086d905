import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject } from './vitest-project.ts'

const SECRET = 'correct-Zk3vQ9xB7tR2mN8pL4wY'

/** Reads a file of its own, as `next start` does, after it has asked once. */
const SERVER = `
const ask = async (content) => {
  const response = await fetch(process.env.ENDPOINT + '/v1/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-tenant': process.env.TENANT_SECRET ?? 'none' },
    body: JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content }] }),
  })
  if (!response.ok) throw new Error(await response.text())
}
await ask('Hello')
process.loadEnvFile('.env.local')
await ask('The secret is ' + process.env.TENANT_SECRET)
`

let upstream: Upstream
let project: VitestProject

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('keys', { ENDPOINT: upstream.url })
  project.write('.env.local', `TENANT_SECRET=${SECRET}\n`)
  project.write('server.mjs', SERVER)
  project.write(
    'told.test.ts',
    `import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { test } from 'vitest'

// It starts a process, on a machine that may be busy.
test('a server asks', { timeout: 60_000 }, async () => {
  await promisify(execFile)(process.execPath, ['server.mjs'])
})
`,
  )
  const recording = await project.record(['told'])
  await upstream.stop()
  expect(recording.exitCode, recording.output).toBe(0)
})

afterAll(() => upstream.stop())

test('what a child reads from a file of its own is not in the recording', () => {
  const [cassette] = project.files('__recordings__/told.test.ts')
  const text = project.read(`__recordings__/told.test.ts/${cassette}`)
  expect(text).toContain('The secret is <REDACTED:TENANT_SECRET>')
  expect(text).not.toContain(SECRET)
  expect(text).not.toContain('x-vitest-cassette')
})

test('a replay matches it, whatever the value is there', async () => {
  for (const value of [SECRET, 'another-horse-battery-staple']) {
    project.write('.env.local', `TENANT_SECRET=${value}\n`)
    const { exitCode, output } = await project.run(['told'])
    expect(exitCode, output).toBe(0)
    expect(output).toContain('2 replayed')
  }
})
