import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectGolden } from '../../golden.ts'
import { startUpstream, type Upstream } from '../../upstream/start-upstream.ts'
import { VitestProject, type Run } from '../vitest-project.ts'

const TESTS = [
  'asks openly',
  'swallows the error',
  'expects the rejection',
  'stumbles over the missing answer',
  'two at the same time > left',
  'two at the same time > right',
  'changes one word of a long prompt',
  'speaks to the terminal',
  'has no cassette',
]

let upstream: Upstream
let project: VitestProject
let run: Run
let attempts: string[]
let requests: number

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('../lab/scenarios/misses', {
    ODD_URL: upstream.oddUrl,
    UPSTREAM_URL: upstream.url,
    CHANGED: '1',
  })
  const recording = await project.record([], { CHANGED: '0' })
  expect(recording.exitCode, recording.output).toBe(0)
  project.remove('attempts')
  const before = await upstream.count()
  run = await project.run()
  requests = (await upstream.count()) - before
  attempts = project.read('attempts').trim().split('\n')
})

afterAll(() => upstream.stop())

test('every miss fails its test, once, also where the application swallows or expects the error', () => {
  expect(run.exitCode).toBe(1)
  const failed = run.output.match(/(?<= FAIL {2}misses\.test\.ts > ).*/g)
  expect(failed?.toSorted()).toEqual(TESTS.toSorted())
  expect(run.output.match(/^CassetteError: /gm)).toHaveLength(TESTS.length)
  expect(run.output).not.toMatch(/^(?:AssertionError|TypeError|BadRequestError|Error): /m)
})

test('no SDK tries again, and nothing goes out', () => {
  // One request of each test, and the second of the one that asks Claude too.
  expect(attempts.filter((line) => line === 'fetch')).toHaveLength(TESTS.length + 1)
  // Fetch is answered before it has made a request of its own.
  expect(attempts).not.toContain('request')
  expect(requests).toBe(0)
})

test('the text says what happened, where, how far the closest is, what changed, and what to do', async () => {
  await expectGolden(blockOf('asks openly'), 'changed', steady())
})

test('the error points at the line of the test too', () => {
  expect(run.output).toMatch(/❯ misses\.test\.ts:8:\d+/)
})

test('what followed from the miss is a line of it and no error of its own', async () => {
  await expectGolden(blockOf('stumbles over the missing answer'), 'then-failed', steady())
  await expectGolden(blockOf('swallows the error'), 'one-more', steady())
})

test('one changed word of a long prompt is shown in a short diff', () => {
  const block = blockOf('changes one word of a long prompt')
  expect(block).toContain('[-receipt-]')
  expect(block).toContain('{+invoice+}')
  expect(block).not.toContain('Rule 150:')
  expect(block.split('\n').length).toBeLessThan(40)
})

test('without a cassette the text has the same shape', async () => {
  await expectGolden(blockOf('has no cassette'), 'no-cassette', steady())
})

test('control sequences and commands inside a prompt are shown and do nothing', () => {
  const block = blockOf('speaks to the terminal')
  expect(block).toContain('<U+001B>[31mred<U+001B>[0m')
  for (const shown of ['error file=x', '[group]', 'vso[task.complete]'])
    expect(block).toContain(shown)
  expect(run.output).not.toContain('\u001b')
  expect(run.output).not.toMatch(/^\s*::error|##\[group\]|##vso\[/m)
})

test('the text is coloured where colours are asked for', async () => {
  const { output } = await project.run(['-t', 'asks openly'], {
    NO_COLOR: undefined,
    FORCE_COLOR: '1',
  })
  expect(output).toContain('\u001b[1mnpx vitest-cassette record misses.test.ts')
  const added = output.split('\n').find((line) => line.includes('+') && line.includes('tomorrow'))
  expect(added).toContain('\u001b[32m')
})

test.each([{ FORCE_COLOR: '0' }, { FORCE_COLOR: '0', CI: 'true' }, { TERM: 'dumb' }])(
  'without colours, marks show what changed: %o',
  async (env) => {
    const { output } = await project.run(['-t', 'asks openly'], { NO_COLOR: undefined, ...env })
    const [, block] = output.split('closest ')
    expect(block).toMatch(/\[-.*-\]/)
    expect(block).toMatch(/\{\+.*\+\}/)
  },
)

test('reporters for machines carry the headline', async () => {
  const reporters = [
    '--reporter=json',
    '--outputFile.json=run.json',
    '--reporter=junit',
    '--outputFile.junit=junit.xml',
  ]
  expect((await project.run(reporters)).exitCode).toBe(1)
  const { numFailedTests, testResults } = JSON.parse(project.read('run.json'))
  expect(numFailedTests).toBe(TESTS.length)
  expect(testResults[0].assertionResults[0].failureMessages[0]).toMatch(
    /^CassetteError: The prompt changed: message 2/,
  )
  expect(project.read('junit.xml')).toContain('CassetteError: The prompt changed: ')
})

/** The providers have other ports in each run. */
function steady(): Record<string, string> {
  const { oddUrl, url } = upstream
  return { [new URL(oddUrl).host]: '<host>', [new URL(url).host]: '<host of Claude>' }
}

/** What is printed for one failed test, up to the first line of its stack. */
function blockOf(title: string): string {
  const [, block] = run.output.split(` FAIL  misses.test.ts > ${title}\n`)
  expect(block, run.output).toBeDefined()
  return block!.slice(0, block!.indexOf('\n', block!.indexOf(' ❯ ')))
}
