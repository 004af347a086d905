import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject } from './vitest-project.ts'

let upstream: Upstream
let project: VitestProject

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('doctor', { ODD_URL: upstream.oddUrl })
  const recording = await project.record()
  expect(recording.exitCode, recording.output).toBe(0)
  await upstream.stop()
})

afterAll(() => upstream.stop())

test('what varies is listed to the end of the conversation, with the line that settles it', async () => {
  const before = project.files()
  const { exitCode, output } = await project.shell('CHANGED=1 WORD=kind npx vitest-cassette doctor')
  expect(exitCode, output).toBe(1)
  expect(output).toContain(`doctor.test.ts > turns
  "Friday, November 20, 2026" → "Saturday, November 21, 2026"  date-phrase
  "/tmp/agent-a1" → "/tmp/agent-b2"  tmp-path
doctor.test.ts > word
  The prompt changed: message 1 (user): text edited`)
  expect(output).toContain("  volatile: ['uuid', 'date-phrase', 'tmp-path']\n")
  expect(output).toContain("vi.setSystemTime(new Date('2026-11-20")
  expect(output).toContain('1 test differs in other ways')
  expect(output).not.toContain('declared\n')
  expect(project.files()).toEqual(before)
})

test('the line settles it, and the doctor has nothing to say', async () => {
  const copy = new VitestProject(project.dir, { ODD_URL: upstream.oddUrl })
  copy.edit('vitest.config.ts', "['uuid']", "['uuid', 'date-phrase', 'tmp-path']")
  const { exitCode, output } = await copy.shell('CHANGED=1 npx vitest-cassette doctor')
  expect(exitCode, output).toBe(0)
  expect(output).toContain('Every prompt is the recorded one')
})

test('without the doctor undeclared values are a miss as ever, and with it no run is green', async () => {
  const run = await project.run(['-t', 'turns'], { CHANGED: '1' })
  expect(run.output).toContain('(0 of 3 exchanges played)')
  const diagnosed = await project.run(['-t', 'turns'], {
    CHANGED: '1',
    VITEST_CASSETTE_DOCTOR: `${project.dir}/doctor.jsonl`,
  })
  expect(diagnosed.exitCode).toBe(1)
  expect(diagnosed.output).toContain('The prompt changed only in values that vary between runs')
})
