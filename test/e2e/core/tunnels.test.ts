import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../../upstream/start-upstream.ts'
import { startWorld, type World } from '../../upstream/start-world.ts'
import { VitestProject } from '../vitest-project.ts'

const CLI = '../node_modules/.bin/vitest-cassette'

let provider: Upstream
let world: World
let project: VitestProject
/** How a person works whose way into the world is a proxy. */
let real: Record<string, string>

beforeAll(async () => {
  provider = await startUpstream()
  world = await startWorld(provider.oddUrl)
  project = new VitestProject('tunnels', { QUESTION: 'Hello' })
  real = {
    HTTPS_PROXY: world.proxy,
    http_proxy: world.proxy,
    NODE_EXTRA_CA_CERTS: world.trust,
    OPENAI_API_KEY: 'sk-real',
    RECORD: '1',
  }
})
afterAll(async () => {
  world.stop()
  await provider.stop()
})

/** Runs a program that knows no base URL; what it printed, without what the gateway says. */
async function run(program: string, environment: Record<string, string> = {}, options = '') {
  const command = `${CLI} run ${options} -- ${program} 2>&1`
  const { output, exitCode } = await project.shell(command, environment)
  const told = output.split('\n').filter((line) => !line.startsWith('[vitest-cassette]'))
  return { exitCode, output, told: told.join('\n') }
}

/** Debian has it for its own Python. */
const withHttpx = ['python3', '/usr/bin/python3'].find(
  (python) => spawnSync(python, ['-c', 'import httpx']).status === 0,
)
if (!withHttpx) console.log('Skipped: no Python here has httpx (apt-get install python3-httpx).')

test.for([
  ['curl, by HTTP/2', 'sh ask.sh'],
  ['curl, by HTTP/1', 'env CURL_OPTIONS=--http1.1 sh ask.sh'],
  ["Python's urllib", 'python3 ask.py'],
  ['httpx', withHttpx && `${withHttpx} ask-httpx.py`],
] as const)(
  '%s asks the provider by its own name: recorded, the same bytes in replay, and the diff',
  async ([way, program], { skip }) => {
    if (!program) return skip()
    const cassette = `__recordings__/${program.replaceAll(/\W+/g, '-').toLowerCase()}.json`
    const options = `--cassette ${cassette}`
    const before = world.asked.length
    const recorded = await run(program, real, options)
    expect(recorded.output).toContain(`${cassette}: 2 recorded`)
    expect(recorded.exitCode).toBe(0)
    expect(recorded.told).toContain('Odd: Hello')
    expect(recorded.told).toContain('three')
    if (way.startsWith('curl')) expect(recorded.told).toContain(`over ${way.slice(-6)}`)
    const asked = world.asked.slice(before)
    expect(asked.map(({ url }) => url)).toEqual([
      'https://api.openai.com/v1/chat/completions',
      'https://api.openai.com/v1/chat/completions',
    ])
    expect(asked[0]!.headers.authorization).toBe('Bearer sk-real')
    expect(project.read(cassette)).toContain('"https://api.openai.com/v1/chat/completions"')
    expect(project.read(cassette)).not.toMatch(/secret|127\.0\.0\.1/)

    const replayed = await run(program, {}, options)
    expect(replayed.output).toContain(`${cassette}: 2 replayed`)
    expect(replayed.told).toBe(recorded.told)
    expect(replayed.exitCode).toBe(0)

    const changed = await run(`sh -c '${program} || true'`, { QUESTION: 'Bye' }, options)
    expect(changed.exitCode).toBe(1)
    expect(changed.output).toMatch(/- Hello\n +\+ Bye/)
    expect(world.asked).toHaveLength(before + 2)
  },
)
