import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectGolden } from '../golden.ts'
import { needs } from '../needs.ts'
import { startLyingProxy } from '../upstream/start-lying-proxy.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { errorsIn, VitestProject, type Run } from './vitest-project.ts'

const PROGRAMS = needs('python3', 'curl')

let provider: Upstream
let project: VitestProject
let recorded: Run

beforeAll(async () => {
  provider = await startUpstream()
  project = new VitestProject('children')
  const env = { UPSTREAM_URL: provider.oddUrl, OPENAI_BASE_URL: `${provider.oddUrl}/v1` }
  recorded = await project.record(['children.test', 'own-address', 'late'], {
    ...env,
    OPENAI_API_KEY: 'sk-real',
  })
})
afterAll(() => provider.stop())

const replayed = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }

test('what the children of a test ask is recorded in its cassette', PROGRAMS, () => {
  expect(recorded.output).toContain('18 passed')
  expect(recorded.output).not.toContain('is not recorded')
  expect(project.files()).toHaveLength(15)
  expect(project.files('own')).toEqual(['own.json'])
  const names = project
    .files()
    .map((file) => project.read(`__recordings__/${file}`))
    .join('\n')
  expect(names).not.toMatch(/caught|"port"/)
})

test('it is replayed with the provider away, and nobody is asked', PROGRAMS, async () => {
  const before = await provider.count()
  const run = await project.run(['children.test', 'own-address', 'late'], replayed)
  expect(run.output).toContain('18 passed')
  expect(run.output).toContain('21 replayed')
  expect(await provider.count()).toBe(before)
})

test(
  'another prompt of a child fails its test with the diff, though the child ends well',
  PROGRAMS,
  async () => {
    const run = await project.run(['children.test', 'own-address', 'late'], {
      ...replayed,
      CHANGED: '!',
    })
    expect(run.output).toContain('15 failed | 3 passed')
    expect(run.output).toMatch(/- By fetch\n +\+ By fetch!/)
    expect(run.output).toMatch(/- Python\n +\+ Python!/)
    expect(run.output).toContain('asked by  python3 child.py Python!')
    expect(run.output).toMatch(/- Thread\n +\+ Thread!/)
    // At the line that started it.
    const lines = project.read('children.test.ts').split('\n')
    const line = lines.findIndex((text) => text.includes("run('python3', ")) + 1
    expect(run.output).toContain(`❯ children.test.ts:${line}:`)
  },
)

test(
  'a test that asks at the address of its children gets the same as they do',
  PROGRAMS,
  async () => {
    const files = project.files().filter((file) => file.startsWith('own-address.test.ts/'))
    expect(files).toHaveLength(2)
    for (const file of files)
      expect(project.read(`__recordings__/${file}`)).toContain(`"url": "${provider.oddUrl}/v1/chat`)
    const changed = await project.run(['own-address'], { ...replayed, CHANGED: '!' })
    expect(changed.output).toContain('2 failed')
    expect(changed.output).toMatch(/By node:http\n +\+ By node:http!/)
  },
)

test('what a child was answered before its worker was killed comes back', PROGRAMS, async () => {
  const own = new VitestProject('children')
  own.write(
    'killed.test.ts',
    `import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test('its worker is killed', async () => {
  const kill = process.env.KILLED ? \`; kill -9 \${process.pid}\` : ''
  const { stdout } = await promisify(execFile)('sh', ['-c', 'python3 child.py Killed' + kill])
  expect(stdout.trim()).toBe('Odd: Killed')
})
`,
  )
  const real = { OPENAI_BASE_URL: `${provider.oddUrl}/v1`, OPENAI_API_KEY: 'sk-real' }
  const before = await provider.count()
  const killed = await own.record(['killed'], { ...real, KILLED: '1' })
  expect(killed.exitCode).toBe(1)
  expect(await provider.count()).toBe(before + 1)
  const recovered = await own.shell('../node_modules/.bin/vitest-cassette recover --yes')
  expect(recovered.exitCode, recovered.output).toBe(0)
  const run = await own.run(['killed'], replayed)
  expect(run.output).toContain('1 replayed')
  expect(await provider.count()).toBe(before + 1)
})

/** The path of a program is shortened where it is long. */
function withoutProgram(errors: string[]): string {
  return errors.join('\n').replaceAll(/(asked by +).*/g, '$1<program>')
}

test('a child that outlives its test gets no answer, and fails its file', PROGRAMS, async () => {
  const replay = await project.run(['late'], { ...replayed, LATE: '1' })
  expect(replay.exitCode).toBe(1)
  expect(replay.output).toContain('Test Files  1 failed')
  expect(replay.output).toContain('POST http://127.0.0.1:9/v1/chat/completions')
  await expectGolden(withoutProgram(errorsIn(replay)), 'late')
  const own = new VitestProject('children')
  const recording = await own.record(['late'], {
    OPENAI_BASE_URL: `${provider.oddUrl}/v1`,
    OPENAI_API_KEY: 'sk-real',
    LATE: '1',
  })
  expect(recording.output).toContain('asked by sh -c sleep 0.5; node ')
  expect(recording.output).not.toContain('Recorded  nothing')
  await expectGolden(withoutProgram(errorsIn(recording)), 'late-recording', {
    [new URL(provider.oddUrl).host]: '<provider>',
  })
})

test.each(['replay', 'record'] as const)(
  'what a child asks for which its test waits is refused, and fails the test that swallows it: %s',
  async (mode) => {
    const run = await (mode === 'replay'
      ? project.run(['waited'], replayed)
      : project.record(['waited'], replayed))
    const { output, exitCode } = run
    expect(exitCode).toBe(1)
    expect(output).toContain('3 failed | 1 passed')
    const codes = project.failures().map(({ code }) => code)
    expect(codes).toEqual(['refused', 'refused', 'refused'])
    for (const url of ['http://127.0.0.1:9/v1/chat/completions', 'https://api.openai.com'])
      expect(output).toContain(`CassetteError: A request to ${url}`)
    await expectGolden(errorsIn(run).join('\n\n---\n\n'), 'waited')
    expect(output).toContain('The program: python3 child.py Waited')
    expect(output).toMatch(/❯ waited\.test\.ts:8:/)
    expect(output).not.toMatch(/'127\.0\.0\.1' .*allowHosts/)
  },
)

test(
  'a model on this machine that programs ask at an address of their own is answered, and other servers are reached',
  PROGRAMS,
  async () => {
    const own = new VitestProject('children')
    const recording = await own.record(['here'], { MODEL_AT: provider.oddUrl })
    expect(recording.exitCode, recording.output).toBe(0)
    expect(recording.output).toContain('2 recorded')
    const away = { MODEL_AT: 'http://127.0.0.1:9' }
    const replay = await own.run(['here'], away)
    expect(replay.exitCode, replay.output).toBe(0)
    expect(replay.output).toContain('2 replayed')
    const changed = await own.run(['here'], { ...away, CHANGED: '!', WAITED: '1' })
    expect(changed.output).toContain('4 failed | 2 passed')
    for (const way of ['curl', 'urllib'])
      expect(changed.output).toMatch(new RegExp(`- By ${way}\\n +\\+ By ${way}!`))
    expect(changed.output).toContain('A request to http://127.0.0.1:9/v1/chat/completions')
  },
)

test.for([
  ['NODE_USE_ENV_PROXY', { NODE_USE_ENV_PROXY: '1' }, ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']],
  ['--use-env-proxy', { NODE_OPTIONS: '--use-env-proxy' }, ['http_proxy', 'https_proxy']],
] as const)('no proxy of the environment sees what children ask: %s', async ([, env, names]) => {
  const proxy = await startLyingProxy()
  const proxies = Object.fromEntries(names.map((name) => [name, proxy.url]))
  const behind = new VitestProject('children', { ...env, ...proxies })
  const provided = { UPSTREAM_URL: provider.oddUrl, OPENAI_BASE_URL: `${provider.oddUrl}/v1` }
  const ofChildren = ['-t', '^(?!.*(?:share|cassette of its own))', 'children.test.ts']
  const recording = await behind.record(ofChildren, { ...provided, OPENAI_API_KEY: 'sk-real' })
  const replay = await behind.run(ofChildren, replayed)
  const changed = await behind.run(ofChildren, { ...replayed, CHANGED: '!' })
  proxy.stop()
  expect(recording.exitCode, recording.output).toBe(0)
  expect(replay.exitCode, replay.output).toBe(0)
  expect(changed.output).toMatch(/Tests {2}\d+ failed/)
  expect(changed.output).not.toContain('The proxy says so')
  expect(proxy.asked).toEqual([])
})
