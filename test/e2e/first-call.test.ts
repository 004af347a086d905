import { beforeAll, expect, test } from 'vitest'
import { startUpstream } from '../upstream/start-upstream.ts'
import { encodeCassette } from '../../src/cassette/encode.ts'
import { printSealed } from '../../src/cassette/format.ts'
import { question, recorded as recordedBy } from '../engine/example-session.ts'
import { VitestProject } from './vitest-project.ts'

/**
 * What a program counted: kilobytes of this package that were loaded, functions of it that ran, and kilobytes of the
 * packages that it uses.
 */
interface Counted {
  answer: string
  kb: number
  functions: number
  othersKb: number
}

const WAYS = ['fetch', 'http', 'socket'] as const

let project: VitestProject
const recorded: Record<string, Counted> = {}

beforeAll(async () => {
  const upstream = await startUpstream()
  project = new VitestProject('counted', { UPSTREAM_URL: upstream.url })
  try {
    for (const way of WAYS) recorded[way] = await ask(way, 'RECORD=1 ')
  } finally {
    await upstream.stop()
  }
})

async function ask(way: string, environment: string = ''): Promise<Counted> {
  const { output } = await project.shell(`${environment}node ask.mjs ${way}`)
  const line = output.split('\n').find((text) => text.startsWith('{'))
  if (!line) throw new Error(output)
  return JSON.parse(line) as Counted
}

// Numbers and not times: they are the same on every machine. The limits are a little above what was reached.
test.each([
  ['fetch', { kb: 130, functions: 213, othersKb: 0 }],
  ['http', { kb: 189, functions: 348, othersKb: 0 }],
  // By the same hook as http, which runs more than the bridge of its own that it had.
  ['socket', { kb: 870, functions: 772, othersKb: 135 }],
] as const)('a first call by %s loads and runs little', async (way, most) => {
  const { answer, ...counted } = await ask(way)
  expect(answer).toBe(recorded[way]!.answer)
  expectAtMost(counted, most)
})

// Only what this machine may answer has to be judged by its address.
test('a first call to a provider that was recorded byte for byte loads and runs the least', async () => {
  const { stored } = encodeCassette(recordedBy([question('Hi'), 'Hello']))
  project.write('cassettes/far.json', printSealed(stored))
  const { answer, ...counted } = await ask('far')
  expect(JSON.parse(answer)).toMatchObject({ choices: [{ message: { content: 'Hello' } }] })
  expectAtMost(counted, { kb: 106, functions: 202, othersKb: 0 })
})

test('a first recording loads and runs what it needs', () => {
  const { answer: _, ...counted } = recorded.fetch!
  expectAtMost(counted, { kb: 830, functions: 650, othersKb: 0 })
})

test('a first call compiles at once what it runs, and little of it late', async () => {
  const flags = '--log-function-events --no-logfile-per-isolate --logfile=functions.log'
  const run = await project.shell(`node ${flags} ask.mjs fetch`, {
    NODE_DISABLE_COMPILE_CACHE: '1',
  })
  expect(run.exitCode, run.output).toBe(0)
  expect(compiledLate(project.read('functions.log'))).toBeLessThan(65)
})

/** How many functions of the package V8 read a second time when they first ran. */
function compiledLate(log: string): number {
  const lines = log.split('\n').map((line) => line.split(','))
  const scripts = lines
    .filter(([event, , url]) => event === 'script-details' && /vitest-cassette\/dist/.test(url!))
    .map(([, id]) => id)
  expect(scripts.length).toBeGreaterThan(3)
  return lines.filter(
    ([event, what, id]) =>
      event === 'function' && what === 'parse-function' && scripts.includes(id),
  ).length
}

function expectAtMost(counted: Omit<Counted, 'answer'>, most: Omit<Counted, 'answer'>): void {
  const isWithin = (['kb', 'functions', 'othersKb'] as const).every(
    (name) => counted[name] <= most[name],
  )
  expect(isWithin ? most : counted).toEqual(most)
}
