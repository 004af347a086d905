import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject } from './vitest-project.ts'

let upstream: Upstream
let project: VitestProject
let asksThrice: VitestProject
let cassettes: string[]
let finished: string[]

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('order', { UPSTREAM_URL: upstream.oddUrl })
  const together = () => project.cassette('asks-all-at-once')

  const first = await project.record()
  cassettes = [project.read(together())]
  const second = await project.record(['together'])
  cassettes.push(project.read(together()))
  finished = [first, second].map(({ output }) => /finished: (.*)\./.exec(output)?.[1] ?? output)
  await upstream.stop()
  asksThrice = new VitestProject(project.dir, { UPSTREAM_URL: upstream.oddUrl })
  asksThrice.edit(
    'twice.test.ts',
    'expect(answers)',
    "await ask('numbered again')\n  expect(answers)",
  )
})

afterAll(() => upstream.stop())

test('a recording is the same byte for byte whichever answer ended first', () => {
  const [first, second] = finished
  expect(first).toMatch(/uneven 0.*uneven 1/)
  expect(second).toMatch(/uneven 1.*uneven 0/)
  expect(cassettes[1]).toBe(cassettes[0])
})

test('prompts are recorded in the order in which they were asked, not in which they arrived', () => {
  const prompts = project.prompts('asks-while-it-uploads')
  expect(prompts).toEqual(['What comes late?', 'What is quick?'])
})

test('a prompt asked twice gets its answers in order, prompts asked at once their own', async () => {
  const run = await project.run()
  expect(run.exitCode, run.output).toBe(0)
  expect(run.output).toContain('8 replayed')
})

test('prompts that arrive the other way round get their own answers', async () => {
  const run = await project.run(['together'], { REVERSED: '1' })
  expect(run.exitCode, run.output).toBe(0)
  expect(run.output).toContain('finished: What is fourth?, What is third?')
})

test('a prompt asked a third time is a miss that says how many answers were played', async () => {
  const run = await asksThrice.run(['twice'])
  expect(run.exitCode).toBe(1)
  expect(run.output).toContain(
    'The prompt was asked more often than recorded: 2 of 2 already played',
  )
  expect(run.output).toContain(
    "npx vitest-cassette record twice.test.ts -t '^asks one prompt twice$'",
  )
})

test("with the option repeats: 'last' the last answer is given again", async () => {
  const run = await asksThrice.run(['twice'], { OPTIONS: '{"repeats":"last"}' })
  expect(run.exitCode, run.output).toBe(0)
  expect(run.output).toContain('3 replayed')
})

test('two tests whose titles differ in how a letter is composed have a cassette each', async () => {
  const provider = await startUpstream()
  const composed = new VitestProject('order', { UPSTREAM_URL: provider.oddUrl })
  composed.write(
    'composed.test.ts',
    `import { expect, test } from 'vitest'
import { ask } from '../ask.ts'

for (const title of ['\\u00e9', 'e\\u0301', 'E\\u0301', '\\u00e9\\u200b'])
  test(title, async () => {
    expect(await ask(escape(title))).toBe('Odd: ' + escape(title))
  })
`,
  )
  const recorded = await composed.record(['composed'])
  await provider.stop()
  expect(recorded.exitCode, recorded.output).toBe(0)
  expect(composed.files().filter((file) => file.startsWith('composed'))).toHaveLength(4)
  const replayed = await composed.run(['composed'])
  expect(replayed.exitCode, replayed.output).toBe(0)
  expect(replayed.output).toContain('4 replayed')
  const alone = await composed.run(['composed', '-t', 'e\u0301'])
  expect(alone.exitCode, alone.output).toBe(0)
})

test('two test files whose names differ in how a letter is composed are not recorded into one another', async () => {
  const named = new VitestProject('order', { UPSTREAM_URL: upstream.oddUrl })
  for (const name of ['caf\u00e9', 'cafe\u0301'])
    named.write(`${name}.test.ts`, named.read('twice.test.ts'))
  const recorded = await named.record(['caf'])
  expect(recorded.exitCode).toBe(1)
  expect(recorded.output).toContain(
    'the cassettes of caf\\u00e9.test.ts and cafe\\u0301.test.ts would overwrite each other',
  )
  expect(named.files().filter((file) => file.startsWith('caf'))).toEqual([])
})
