import { beforeAll, expect, test } from 'vitest'
import { startUpstream } from '../upstream/start-upstream.ts'
import { VitestProject } from './vitest-project.ts'

/** What a program counted: kilobytes of this package that were loaded, and functions of it that ran. */
interface Counted {
  answer: string
  kb: number
  functions: number
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
  ['fetch', { kb: 171, functions: 309 }],
  ['http', { kb: 388, functions: 486 }],
  ['socket', { kb: 1068, functions: 781 }],
] as const)('a first call by %s loads and runs little', async (way, most) => {
  const { answer, ...counted } = await ask(way)
  expect(answer).toBe(recorded[way]!.answer)
  expectAtMost(counted, most)
})

test('a first recording loads and runs what it needs', () => {
  const { answer: _, ...counted } = recorded.fetch!
  expectAtMost(counted, { kb: 912, functions: 660 })
})

function expectAtMost(counted: Omit<Counted, 'answer'>, most: Omit<Counted, 'answer'>): void {
  const isWithin = counted.kb <= most.kb && counted.functions <= most.functions
  expect(isWithin ? most : counted).toEqual(most)
}
