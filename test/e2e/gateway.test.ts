import { afterAll, beforeAll, expect, test } from 'vitest'
import { needs } from '../needs.ts'
import { expectGolden } from '../golden.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject } from './vitest-project.ts'

/** Not npx, which passes no signals on. */
const CLI = '../node_modules/.bin/vitest-cassette'
const NOBODY = 'http://127.0.0.1:9/v1'

/** A program that asks twice, by curl: the one that knows least of us. */
const ASK = 'sh ask.sh'

let provider: Upstream
let project: VitestProject

beforeAll(async () => {
  provider = await startUpstream()
  project = new VitestProject('gateway', { OPENAI_BASE_URL: NOBODY, QUESTION: 'Hello' })
})
afterAll(() => provider.stop())

/** Runs a program with the gateway; what it printed, and what the gateway said. */
async function run(program: string, environment: Record<string, string> = {}, options = '') {
  const command = `${CLI} run ${options} -- ${program} 2>&1`
  const { output, exitCode } = await project.shell(command, environment)
  const lines = Map.groupBy(output.split('\n'), (line) => line.startsWith('[vitest-cassette]'))
  const [told, said] = [false, true].map((isOurs) => lines.get(isOurs)?.join('\n') ?? '')
  return { exitCode, output, told: told!, said: said! }
}

for (const [name, program, programs] of [
  ['curl', ASK, needs('curl')],
  ["Python's urllib", 'python3 ask.py', needs('python3')],
  ['the SDK of OpenAI in Node', 'node ask.mjs', needs()],
] as const)
  test(
    `${name} is recorded, gets the same bytes in replay, and fails with the diff`,
    programs,
    async () => {
      const cassette = `__recordings__/${program.replaceAll(/\W/g, '-')}.json`
      const before = await provider.count()
      const real = { OPENAI_BASE_URL: `${provider.oddUrl}/v1`, OPENAI_API_KEY: 'sk-real' }
      const recorded = await run(program, { ...real, RECORD: '1' })
      expect(recorded.output).toContain(`${cassette}: 2 recorded`)
      expect(recorded.exitCode).toBe(0)
      expect(recorded.told).toContain('Odd: Hello')
      expect(recorded.told).toContain('three')
      expect((await provider.count()) - before).toBe(2)
      expect((await provider.seen()).authorization).toBe('Bearer sk-real')
      expect(project.read(cassette)).toContain(`${provider.oddUrl}/v1/chat/completions`)

      const replayed = await run(program)
      expect(replayed.output).toContain(`${cassette}: 2 replayed`)
      expect(replayed.told).toBe(recorded.told)
      expect(replayed.exitCode).toBe(0)

      const options = `--cassette ${cassette}`
      const changed = await run(`sh -c '${program} || true'`, { QUESTION: 'Bye' }, options)
      expect(changed.exitCode).toBe(1)
      const [, verdict] = changed.output.split(`[vitest-cassette] ${cassette}: `)
      await expectGolden(verdict!, 'changed', { [cassette]: '<cassette>', [program]: '<program>' })
      expect((await provider.count()) - before).toBe(2)
    },
  )

test('the code of the command is that of the run, and a command that does not exist has none', async () => {
  expect(await run("sh -c 'exit 7'")).toMatchObject({ exitCode: 7 })
  expect(await run('no-such-program')).toMatchObject({ exitCode: 127 })
  await expectGolden((await run('true')).said, 'no-request')
  expect((await run("sh -c 'echo $0' --help")).told).toBe('--help\n')
})

test('Deno, which reads NODE_OPTIONS and ignores our guard, keeps its base URL', async () => {
  project.write('as-deno.cjs', 'globalThis.Deno = {}')
  const NODE_OPTIONS = `--require "${project.dir}/as-deno.cjs"`
  const real = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', RECORD: '1' }
  const show = (env: object) => run("node -p 'process.env.OPENAI_BASE_URL'", { ...real, ...env })
  expect((await show({ NODE_OPTIONS })).told).toMatch(/^http:.*\/http\/127\.0\.0\.1:9\/v1\n$/)
  expect((await show({})).told).toBe('http://127.0.0.1:9/v1\n')
})

test(
  'a command that fails while it records replaces nothing, unless it is stopped',
  needs('curl'),
  async () => {
    const real = {
      OPENAI_BASE_URL: `${provider.oddUrl}/v1`,
      OPENAI_API_KEY: 'sk-real',
      RECORD: '1',
    }
    const path = 'cassettes/fails.json'
    const record = (command: string) => run(`sh -c '${command}'`, real, `--cassette ${path}`)
    expect(await record(ASK)).toMatchObject({ exitCode: 0 })
    const before = project.read(path)
    const failed = await record(`${ASK}; exit 3`)
    expect(failed.exitCode).toBe(3)
    await expectGolden(failed.said, 'failed-command')
    expect(project.read(path)).toBe(before)
    project.remove(path)
    // As a user stops a server that was recorded.
    const stopped = await record(`${ASK}; kill $PPID; sleep 1`)
    expect(stopped.exitCode).toBe(143)
    expect(stopped.output).toContain(`${path}: 2 recorded`)
    expect(project.files('cassettes')).toContain('fails.json')
  },
)

test('a kill in the middle loses nothing that was answered', needs('curl'), async () => {
  const real = { OPENAI_BASE_URL: `${provider.oddUrl}/v1`, OPENAI_API_KEY: 'sk-real', RECORD: '1' }
  // The shell asks, and then kills the gateway that it is a child of.
  const killed = await run(
    `sh -c '${ASK}; kill -9 $PPID'`,
    real,
    '--cassette cassettes/killed.json',
  )
  expect(killed.exitCode).not.toBe(0)
  expect(project.files('cassettes')).not.toContain('killed.json')
  const recovered = await project.shell(`${CLI} recover --yes --dir cassettes`)
  const [found, ...words] = recovered.output.split('\n')
  expect(found).toContain('cassettes/killed.json  2 answers')
  await expectGolden(words.join('\n'), 'recovered')
  const replayed = await run(ASK, {}, '--cassette cassettes/killed.json')
  expect(replayed.output).toContain('cassettes/killed.json: 2 replayed')
})

test(
  'serve answers programs that others start, and gives its verdict when it is stopped',
  needs('curl'),
  async () => {
    // The file of an earlier run would say too early that there are answers.
    const script = `
rm -f served.txt
${CLI} run --listen --cassette __recordings__/served.json $1 > served.txt 2> verdict.txt &
for i in $(seq 100); do grep -q answers served.txt && break; sleep 0.1; done
OPENAI_BASE_URL=$(grep -o "$2" served.txt | head -1)$3 OPENAI_API_KEY=none ${ASK}
kill $!
wait $!
echo "ended with $?"
cat verdict.txt`
    project.write('serve.sh', script)
    const serve = (env: object, ...[options = '', address = 'http://127.*/v1', path = '']) =>
      project.shell(`sh serve.sh '${options}' '${address}' '${path}' 2>&1`, { ...env })
    const real = { OPENAI_BASE_URL: `${provider.oddUrl}/v1` }
    const recorded = await serve(real, '--mode new')
    expect(recorded.output).toContain('Odd: Hello')
    expect(recorded.output).toContain('ended with 0')
    expect(recorded.output).toContain('__recordings__/served.json: 2 recorded')
    const port = '--upstream http://127.0.0.1:9'
    const replayed = await serve({}, port, 'http://127.0.0.1:[0-9]*', '/v1')
    expect(replayed.output).toContain('Odd: Hello')
    expect(replayed.output).toContain('ended with 0')
    const changed = await serve({ QUESTION: 'Bye' })
    expect(changed.output).toContain('ended with 1')
    expect(changed.output).toMatch(/- Hello\n +\+ Bye/)
  },
)

test('no cassette is named after a command that holds a key', async () => {
  const key = `gsk_${'aB3'.repeat(17)}c`
  const refused = await run(`echo asked ${key}`)
  expect(refused.exitCode).toBe(2)
  await expectGolden(refused.output, 'command-with-a-key')
  const named = await run(`echo asked ${key}`, {}, '--cassette cassettes/named.json')
  expect(named.output).toContain('asked')
})

test('a port that is taken is named by serve, which ends', async () => {
  const { port } = new URL(provider.oddUrl)
  const { output, exitCode } = await project.shell(
    `${CLI} run --listen ${port} --cassette any.json 2>&1`,
  )
  expect(exitCode).toBe(1)
  expect(output).toMatch(new RegExp(`EADDRINUSE.*:${port}\\.\n.*--listen`))
})

test(
  'a command of which only a part runs is told how to leave the other exchanges, before what drops them',
  needs('curl'),
  async () => {
    const cassette = '__recordings__/parts.json'
    const real = {
      OPENAI_BASE_URL: `${provider.oddUrl}/v1`,
      OPENAI_API_KEY: 'sk-real',
      RECORD: '1',
    }
    const ask = (question: string) => `QUESTION=${question} ${ASK}`
    const options = `--cassette ${cassette}`
    await run(`sh -c '${ask('one')}; ${ask('two')}'`, real, options)
    const whole = project.read(cassette)
    const part = `sh -c '${ask('two')}'`
    const failed = await run(part, {}, options)
    expect(failed.exitCode).toBe(1)
    expect(failed.output).toContain('Not asked for: 2 of 4 recorded exchanges')
    const leaves = `npx vitest-cassette run --unused warn ${options} -- ${part}`
    expect(failed.output).toContain(leaves)
    expect(failed.output.indexOf(leaves)).toBeLessThan(failed.output.indexOf('RECORD=new'))
    const left = await run(part, {}, `--unused warn ${options}`)
    expect(left.output).toContain('Not asked for: 2 of 4 recorded exchanges')
    expect(left.exitCode).toBe(0)
    expect(project.read(cassette)).toBe(whole)
    expect((await run(part, {}, `--unused never ${options}`)).exitCode).toBe(2)
  },
)
