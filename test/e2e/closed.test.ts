import { networkInterfaces } from 'node:os'
import { beforeAll, expect, test } from 'vitest'
import { expectGolden } from '../golden.ts'
import { needs } from '../needs.ts'
import { type Failure, failureIn, type TestsRun, VitestProject } from './vitest-project.ts'

let project: VitestProject
let run: TestsRun
let failures: Failure[]

beforeAll(async () => {
  project = new VitestProject('closed')
  run = await project.runTests()
  failures = project.failures()
})

const outcomesIn = (file: string): Array<[title: string, outcome: string]> =>
  run.tests
    .filter((one) => one.file === file)
    .map(({ title, failureMessages: [first = 'passed'] }) => [title, first.split('\n')[0]!])

test(
  'in replay nothing leaves this machine by any way, and each test fails, though it swallows the error',
  needs('curl'),
  async () => {
    const outcomes = outcomesIn('ways.test.ts')
    const refused = failures.filter(({ code }) => code === 'refused').map(({ test }) => test)
    expect(refused).toEqual(
      expect.arrayContaining(outcomes.map(([title]) => `ways.test.ts > ${title}`)),
    )
    await expectGolden(outcomes.map((one) => one.join('\n  ')).join('\n'), 'ways')
  },
)

test('what stays here passes, and so does what an option allows', needs('curl'), () => {
  const outcomes = outcomesIn('here.test.ts')
  const addresses = Object.values(networkInterfaces()).flatMap((one) => one ?? [])
  const own = addresses.filter(({ internal, family }) => !internal && family === 'IPv4')
  expect(outcomes).toHaveLength(9 + own.length)
  expect(outcomes.filter(([, outcome]) => outcome !== 'passed')).toEqual([])
})

test(
  'a request over HTTP fails with what records it, and what lets it out',
  needs('curl'),
  async () => {
    const ofRequest = failureIn(run, 'ways.test.ts > fetch\n')
    expect(ofRequest).toContain("cassettes({ hosts: ['other.invalid'] })")
    expect(ofRequest).toContain("npx vitest-cassette record ways.test.ts -t '^fetch$'")
    await expectGolden(ofRequest, 'request')
    const ofConnection = failureIn(run, 'ways.test.ts > a database that waits for its client')
    expect(ofConnection).toContain("cassettes({ allowHosts: ['db.other.invalid:5432'] })")
    await expectGolden(ofConnection, 'connection')
  },
)

test.each([
  ['module', 'record module.test.ts\n'],
  ['late', "record late.test.ts -t '^ends before its telemetry$'\n"],
  ['unawaited', 'record unawaited.test.ts\n'],
])(
  'what is asked outside of tests fails the file by name: %s',
  needs('curl'),
  async (name, command) => {
    const file = `${name}.test.ts`
    expect(failures).toContainEqual(expect.objectContaining({ test: file, code: 'refused' }))
    const failure = failureIn(run, `${file} [ ${file} ]`)
    expect(failure).toContain(`npx vitest-cassette ${command}`)
    await expectGolden(failure, `outside-${name}`)
  },
)

test('without the option all of it goes out', needs('curl'), async () => {
  const { output } = await project.run(['module', 'late', 'unawaited'], { NETWORK: 'open' })
  expect(output).toContain('Tests  4 passed')
})

test(
  'a recording lets it out, and names what replay will refuse, with what to type',
  needs('curl'),
  async () => {
    const { output, exitCode } = await project.record(['module', '-t', 'passes'])
    expect(exitCode, output).toBe(0)
    expect(output).toContain("cassettes({ allowHosts: ['module.invalid'] })")
    await expectGolden(output.slice(output.indexOf('Network')), 'recording')
  },
)

test('one failure names all that was refused in its test', needs('curl'), async () => {
  const own = new VitestProject('closed')
  own.write(
    'several.test.ts',
    `import { test } from 'vitest'
test('several', async () => {
  for (const name of ['one', 'two', 'two', 'three']) await fetch(\`https://\${name}.invalid/search\`).catch(() => {})
})
`,
  )
  const { exitCode, output } = await own.run(['several'])
  const failure = failureIn({ exitCode, output }, 'several.test.ts > several')
  expect(failure.match(/\w+(?=\.invalid\/)/g)).toEqual(['one', 'two', 'three'])
  await expectGolden(failure, 'several')
})
