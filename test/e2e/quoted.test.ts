import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject, type Run } from './vitest-project.ts'

const KNOWN = `sk-${'proj'}-Zq81mVx0Yt3LwPk7`

/** A part of each secret of this project: of one that the run knows, of one that the tests know, of one unknown. */
const SECRET = /Zq81mVx0Yt3L|zK4qLm8vT1|aB3dE6gH9aB3d/i
const OF_TESTS = 'zK4qLm8vT1'

const COMMANDS =
  'show --json; diff; doctor; doctor --twice; show --html; record --changed; mutate; show --stats --json; verify'

const noteWrites = fileURLToPath(new URL('../projects/quoted/note-writes.cjs', import.meta.url))
const writes = join(tmpdir(), `writes-${process.pid}.log`)

let upstream: Upstream
let project: VitestProject
let recording: Run
let replay: Run

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('quoted', {
    ENDPOINT: upstream.url,
    OPENAI_API_KEY: KNOWN,
    WRITES: writes,
    NODE_OPTIONS: `--require ${noteWrites}`,
  })
  project.write(`${KNOWN}.test.ts`, project.read('file.test.ts'))
  recording = await project.record()
  await upstream.stop()
  const reporters = ['default', 'json', 'junit'].map((name) => `--reporter=${name}`)
  const files = ['--outputFile.json=run.json', '--outputFile.junit=run.xml']
  replay = await project.run([...reporters, ...files, 'quotes', 'file'], { CHANGED: 'Anna' })
})

afterAll(async () => {
  rmSync(writes, { force: true })
  await upstream.stop()
})

/** The files into which a process wrote a secret, also those that are gone. */
function leaks(): string[] {
  const lines = readFileSync(writes, 'utf8').trim().split('\n')
  return lines
    .map((line) => JSON.parse(line) as [file: string, content: string])
    .filter((write) => write.some((text) => SECRET.test(text)))
    .map(([file]) => file)
}

test('titles, names of files and prompts with a key are not recorded, and the prompt is kept for its owner', () => {
  expect(recording.output).toContain('3 missed')
  expect(project.files().filter((file) => SECRET.test(file))).toEqual([])
  expect(JSON.stringify(project.contents())).toContain('use_<REDACTED:OPENAI_API_KEY>')
  expect(JSON.stringify(project.contents())).not.toMatch(SECRET)
})

test('what the tests know stands in no failure, whatever reports it', () => {
  const failures = [replay.output, project.read('run.json'), project.read('run.xml')]
  for (const text of failures) {
    expect(text).toContain('401: Incorrect key')
    expect(text).not.toContain(OF_TESTS)
  }
  expect(replay.output).toContain('Error: 401: Incorrect key <REDACTED:')
  expect(replay.output).toContain('Object.use_<REDACTED:SHOP_PASSWORD>')
})

test('no run and no command writes or prints a key, but into what is kept for its owner', async () => {
  for (const command of COMMANDS.split('; ')) {
    const { output } = await project.cli(command, { CHANGED: 'Anna' })
    expect(output, command).not.toMatch(SECRET)
  }
  const report = project.files('run-report/data').map((file) => `run-report/data/${file}`)
  const notes = ['node_modules/.cache/vitest-cassette/statistics.json', ...report]
  const texts = notes.map((file) => project.read(file)).join('')
  expect(texts).toContain('<REDACTED:SHOP_PASSWORD>')
  expect(texts).not.toMatch(SECRET)
  const others = leaks().filter((file) => !/vitest-cassette\/(?:journal|parked)\//.test(file))
  expect(others).toEqual([])
})
