import { mkdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isNight } from '../effort.ts'
import { expectGolden } from '../golden.ts'
import { BUN, needs, type Need, testIf } from '../needs.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { documentedRow } from './documented-row.ts'
import { type Run, VitestProject } from './vitest-project.ts'

const bin = (name: string): string =>
  fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url))
const MOCHA = `node ${bin('mocha/bin/mocha.js')} --require vitest-cassette/mocha`
const JEST = `node ${bin('jest/bin/jest.js')}`
const MODULES = `NODE_OPTIONS=--experimental-vm-modules ${JEST}`

const BUN_TEST = `${BUN} test --preload vitest-cassette/bun`

interface Runner {
  command: string
  /** Other ways to run the same files. */
  others?: string[]
  file: string
  /** The beginnings of the names of the cassettes. */
  cassettes: string[]
  /** What it prints of a whole run that passes. */
  passed: RegExp
  /** The tests that ask what changes with `WORD`, or nothing with `SILENT`. */
  drifting: string[]
  /** The command that records the first of them. */
  again: string
}

const RUNNERS: Record<string, Runner> = {
  'node:test': {
    command: 'node --test node.test.mjs',
    others: ['node node.test.mjs'],
    file: 'node.test.mjs',
    cassettes:
      '_file asks calls-back concurrent-1 concurrent-2 concurrent-3 has-a-fallback is-not-done-yet'.split(
        ' ',
      ),
    passed: /pass 11\n/,
    drifting: ['has a fallback', 'is not done yet'],
    again: "node --test --test-name-pattern '^has a fallback$' node.test.mjs",
  },
  'Jest, CommonJS': {
    command: `${JEST} --verbose asks.spec.cjs`,
    others: [
      `${JEST} --runInBand asks.spec.cjs same.spec.cjs`,
      `${JEST} --workerThreads --maxWorkers=2 asks.spec.cjs same.spec.cjs`,
    ],
    file: 'asks.spec.cjs',
    cassettes: [
      '_file asks asks asks-by-node-http asks-by-one-name asks-by-one-name asks-of-1 asks-of-2 calls-back',
      'concurrent-1 concurrent-2 concurrent-3 fails-as-expected has-a-fallback is-tried-again stops-the-clock',
    ].flatMap((line) => line.split(' ')),
    passed: /1 skipped, 1 todo, 15 passed/,
    drifting: ['has a fallback', 'fails as expected'],
    again: "npx jest asks.spec.cjs -t '^has a fallback$'",
  },
  'Jest, ES modules': {
    command: `${MODULES} modules.spec.mjs`,
    file: 'modules.spec.mjs',
    cassettes: ['asks-from-a-module', 'has-a-fallback'],
    passed: /2 passed/,
    drifting: ['has a fallback'],
    again: "npx jest modules.spec.mjs -t '^has a fallback$'",
  },
  'mocha, ES modules': {
    command: `${MOCHA} asks.mocha.mjs`,
    others: [`${MOCHA} --parallel asks.mocha.mjs`],
    file: 'asks.mocha.mjs',
    cassettes:
      '_file asks asks-of-1 asks-of-2 calls-back has-a-fallback is-left-out is-tried-again skips-where-there-is-no-answer'.split(
        ' ',
      ),
    passed: /7 passing .*\n +2 pending/,
    drifting: ['has a fallback', 'skips where there is no answer'],
    again: "npx mocha asks.mocha.mjs --grep '^an application has a fallback$'",
  },
  'mocha, CommonJS': {
    command: `${MOCHA} common.mocha.cjs`,
    file: 'common.mocha.cjs',
    cassettes: ['asks', 'has-a-fallback'],
    passed: /3 passing/,
    drifting: ['has a fallback'],
    again: "npx mocha common.mocha.cjs --grep '^has a fallback$'",
  },
  Bun: {
    command: `${BUN_TEST} ./bun.test.ts`,
    others: ['--isolate', '--parallel=2', '--concurrent', '--randomize'].map(
      (option) => `${BUN_TEST} ${option} ./bun.test.ts`,
    ),
    file: 'bun.test.ts',
    cassettes: [
      '_file asks asks asks-by-bun-fetch asks-by-node-http asks-by-one-name asks-by-one-name asks-by-programs',
      'asks-by-undici asks-of-1-and-one asks-of-2-and-two calls-back concurrent-1 concurrent-2 concurrent-3',
      'fails-as-expected has-a-fallback is-tried-again',
    ].flatMap((line) => line.split(' ')),
    passed: / 17 pass\n 1 skip\n 1 todo\n 0 fail\n/,
    drifting: ['has a fallback', 'fails as expected'],
    again: "bun test ./bun.test.ts -t '^has a fallback$'",
  },
}

const neededBy = (runner: string): Need[] => (runner === 'Bun' ? ['bun'] : [])

let provider: Upstream
beforeAll(async () => {
  provider = await startUpstream()
})
afterAll(() => provider.stop())

/** One of each program for each change, and all at night. */
const TRIED = Object.entries(RUNNERS).filter(
  ([name]) => isNight || ['node:test', 'Jest, CommonJS', 'mocha, ES modules'].includes(name),
)

// Each goes on from what the one before has recorded.
for (const [name, runner] of TRIED)
  describe(name, { ...needs(...neededBy(name)), shuffle: false }, () => {
    const { command, others = [], file, cassettes, passed, drifting, again } = runner
    let project: VitestProject
    let upstream: Upstream
    const run = (env: Record<string, string | undefined> = {}, words = command): Promise<Run> =>
      project.shell(`${words} 2>&1`, env)
    const show = documentedRow(name)
    const names = (): string[] =>
      project
        .files(`__recordings__/${file}`)
        .map((name) => name.replace(/(-[\da-f]{10})?\.json$/, ''))

    beforeAll(async () => {
      upstream = await startUpstream()
      project = new VitestProject('runners', { UPSTREAM_URL: upstream.url })
    })
    afterAll(() => upstream.stop())

    test('records a cassette for each test that asks', async () => {
      const { exitCode, output } = await run({ RECORD: '1' })
      expect(exitCode, output).toBe(0)
      expect(output).toMatch(passed)
      expect(names()).toEqual(cassettes)
      show('record')
    })

    test('RECORD=new records what is missing, and that alone', async () => {
      const missing = project.cassette(`${file}/has-a-fallback`)
      project.remove(missing)
      const before = project.contents()
      const { exitCode, output } = await run({ RECORD: 'new' })
      expect(exitCode, output).toBe(0)
      expect(names()).toEqual(cassettes)
      expect(project.contents()).toMatchObject(before)
      await upstream.stop()
    })

    test('replays them with the provider away, and does not tell of a cassette whose test is gone', async () => {
      project.leaveOrphan(project.cassette(`${file}/has-a-fallback`))
      const before = project.snapshot()
      for (const words of [command, ...others.filter((other) => !other.includes('same'))]) {
        const { exitCode, output } = await run({ CI: 'true' }, words)
        expect(exitCode, output).toBe(0)
        expect(output).toMatch(passed)
        expect(output).not.toContain('is-gone')
      }
      expect(project.snapshot()).toEqual(before)
      project.remove(project.cassette(`${file}/is-gone`))
      show('replay')
      show('orphan', 'not told')
    })

    test('a changed prompt fails its tests, though they swallow the error, and no other', async () => {
      const { exitCode, output } = await run({ WORD: 'three' })
      expect(exitCode).not.toBe(0)
      for (const title of drifting) {
        const [, diff] = output.split(new RegExp(`test +${file}(?: > [^\\n]*)? > ${title}\n`))
        expect(diff, `${title}\n${output}`).toMatch(/^ +cassette +__recordings__\//)
        expect(diff).toMatch(/- .* in \[-two-\] words\.\n\s+\+ .* in \{\+three\+\} words\./)
      }
      expect(new Set(output.match(/test +\S+ > .*/g))).toHaveLength(drifting.length)
      expect(output).toContain(`RECORD=1 ${again}`)
      expect(output).not.toContain('\u001B[')
      show('drift')
    })

    test('the diff has colours in a terminal', async () => {
      const { output } = await run({ WORD: 'three', NO_COLOR: undefined, FORCE_COLOR: '1' })
      expect(output).toContain('in \u001B[7mthree\u001B[27m words.')
    })

    test('a test that asks less fails', async () => {
      const { exitCode, output } = await run({ SILENT: '1' })
      expect(exitCode).not.toBe(0)
      expect(output).toContain('Not asked for: 1 of ')
    })

    test('RECORD=prompts keeps the answers of prompts that changed', async () => {
      const { exitCode, output } = await run({ WORD: 'three', RECORD: 'prompts' })
      expect(exitCode, output).toBe(0)
      expect((await run({ WORD: 'three' })).exitCode).toBe(0)
      expect((await run()).exitCode).not.toBe(0)
    })
  })

/** The first line of the first error of this package. */
function headlineIn(output: string): string {
  return /CassetteError\]?: (.*)/.exec(output)?.[1] ?? output
}

describe('two tests of one name', () => {
  test.for([
    ['node:test', 'node --test', 'same.test.mjs'],
    ['mocha', MOCHA, 'same.mocha.mjs'],
  ])('are refused by %s', async ([, runner, file]) => {
    const project = new VitestProject('runners', { UPSTREAM_URL: provider.url })
    const { exitCode, output } = await project.shell(`${runner} ${file} 2>&1`, { RECORD: '1' })
    expect(exitCode).not.toBe(0)
    await expectGolden(headlineIn(output), 'two-of-one-name', { [file!]: '<file>' })
  })

  test.for(['', ' --runInBand', ' --workerThreads --maxWorkers=2'])(
    'are told apart by Jest%s',
    async (options) => {
      const project = new VitestProject('runners', { UPSTREAM_URL: provider.url })
      const command = `${JEST} same.spec.cjs asks.spec.cjs${options} 2>&1`
      expect((await project.shell(command, { RECORD: '1' })).exitCode).toBe(0)
      expect(project.files('__recordings__/same.spec.cjs')).toHaveLength(2)
      const dead = { UPSTREAM_URL: provider.url, CI: 'true' }
      expect((await project.shell(command, dead)).exitCode).toBe(0)
    },
  )
})

test('a test that mocha ends for an error outside of its function leaves no cassette', async () => {
  const project = new VitestProject('runners', { UPSTREAM_URL: provider.url })
  project.write(
    'ended.mocha.mjs',
    `import { ask } from './app.mjs'
it('is ended', (done) => void ask('one').then(() => setTimeout(() => { throw new Error('late') }))).timeout(0)
it('passes', () => ask('two')).timeout(0)
`,
  )
  const { exitCode, output } = await project.shell(`${MOCHA} ended.mocha.mjs 2>&1`, { RECORD: '1' })
  expect(exitCode, output).toBe(1)
  expect(output).toContain('Error: late')
  const { length, 0: cassette } = project.files('__recordings__/ended.mocha.mjs')
  expect([length, cassette]).toEqual([1, expect.stringMatching(/^passes/)])
})

describe('rules in the options of Jest', () => {
  const command = (config: string): string =>
    `${JEST} ${config} --maxWorkers=2 rules.spec.cjs same.spec.cjs 2>&1`

  test('do in its workers what they say, where the environment has them', async () => {
    const project = new VitestProject('runners', { UPSTREAM_URL: provider.url })
    const own = command('--env ./rules-environment.mjs')
    const recorded = await project.shell(own, { RECORD: '1' })
    expect(recorded.exitCode, recorded.output).toBe(0)
    expect(project.read(project.cassette('rules.spec.cjs/rules-forgive'))).not.toContain('ann@')
    const replayed = await project.shell(own, { CI: 'true' })
    expect(replayed.exitCode, replayed.output).toBe(0)
  })

  test.for([
    ['volatile: [/req-\\d+/]', 'volatile.0: {} is not'],
    ['redact: [() => []]', 'redact.0: null is not'],
    [
      'faults: [{ status: 503, times: Infinity }]',
      'faults.0: {"status":503,"times":null} is no fault',
    ],
  ])('are refused by name where JSON lost them: %s', async ([options, problem]) => {
    const project = new VitestProject('runners', { UPSTREAM_URL: provider.url })
    project.edit(
      'jest.config.mjs',
      'testMatch',
      `testEnvironmentOptions: { cassettes: { ${options} } },\n  testMatch`,
    )
    const { exitCode, output } = await project.shell(command(''), { RECORD: '1' })
    expect(exitCode).toBe(1)
    expect(output).toContain(problem)
  })
})

test('a hook of node:test that can be of any file asks nobody', async () => {
  const project = new VitestProject('runners', { UPSTREAM_URL: provider.url })
  const command = 'node --test --test-isolation=none node.test.mjs 2>&1'
  const { exitCode, output } = await project.shell(command)
  expect(exitCode).not.toBe(0)
  const steady = { [new URL(provider.url).host]: '<provider>' }
  await expectGolden(headlineIn(output), 'of-any-file', steady)
})

/** An SDK as all are: it refuses to start without a key, and looks for one itself. */
const SDK = `module.exports = class {
  constructor() {
    if (!process.env.OPENAI_API_KEY) throw new Error('Missing credentials')
  }
  async ask(content) {
    const response = await fetch(process.env.UPSTREAM_URL + '/v1/chat/completions', {
      method: 'POST',
      headers: { authorization: 'Bearer ' + process.env.OPENAI_API_KEY },
      body: JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content }] }),
    })
    return (await response.json()).choices[0].message.content
  }
}
`

/** Tests of an application with a client at the top of its module, one of which asks. */
function testsByAnSdk(imports: string): string {
  return `${imports}
const sdk = new Sdk()
it('asks by an SDK', async () => {
  if (!process.env.OPENAI_API_KEY) throw new Error('no key')
  if (!/hello/.test(await sdk.ask('hello'))) throw new Error('no answer')
})
it('asks nobody', () => {
  new Sdk()
  if (!process.env.RECORD && process.env.OPENAI_API_KEY) throw new Error('a key')
})
`
}

describe('an SDK that refuses to start without a key', () => {
  for (const [name, runner, file, imports] of [
    [
      'node:test',
      'node --test',
      'keyed.test.mjs',
      "import { it } from 'vitest-cassette/node-test'\nimport Sdk from 'sdk'",
    ],
    ['Jest', JEST, 'keyed.spec.cjs', "const Sdk = require('sdk')"],
    ['Jest, ES modules', MODULES, 'keyed.spec.mjs', "import Sdk from 'sdk'"],
    ['mocha', MOCHA, 'keyed.mocha.mjs', "import Sdk from 'sdk'"],
    [
      'Bun',
      BUN_TEST,
      './keyed.bun.test.ts',
      "import { it } from 'bun:test'\nimport Sdk from 'sdk'",
    ],
  ] as const)
    testIf(isNight || name !== 'Bun')(
      `starts in replay under ${name}`,
      needs(...neededBy(name)),
      async () => {
        const own = await startUpstream()
        const project = new VitestProject('runners', { UPSTREAM_URL: own.url })
        mkdirSync(`${project.dir}/node_modules/sdk`, { recursive: true })
        project.write('node_modules/sdk/package.json', '{ "name": "sdk", "main": "index.cjs" }')
        project.write('node_modules/sdk/index.cjs', SDK)
        project.write(file, testsByAnSdk(imports))
        const command = `${runner} ${file} 2>&1`
        const recorded = await project.shell(command, { RECORD: '1', OPENAI_API_KEY: 'sk-of-mine' })
        await own.stop()
        expect(recorded.exitCode, recorded.output).toBe(0)
        for (const key of [undefined, '']) {
          const { exitCode, output } = await project.shell(command, { OPENAI_API_KEY: key })
          expect(exitCode, output).toBe(0)
        }
        const live = await project.shell(command, { RECORD: '1' })
        expect(live.exitCode).not.toBe(0)
        expect(live.output).toContain('Missing credentials')
      },
    )
})

describe('openCassette in CommonJS', () => {
  test('is there in the contexts of Jest, one cassette after the other', async () => {
    const project = new VitestProject('runners', { UPSTREAM_URL: provider.url })
    const command = `${JEST} --testEnvironment node open.spec.cjs 2>&1`
    const recorded = await project.shell(command, { RECORD: '1' })
    expect(recorded.exitCode, recorded.output).toBe(0)
    expect(project.files('opened')).toEqual(['first.json', 'second.json'])
    expect((await project.shell(command)).exitCode).toBe(0)
    const { exitCode, output } = await project.shell(command, { WORD: 'three' })
    expect(exitCode).toBe(1)
    expect(output).toContain('Tests:       2 failed, 2 total')
    expect(output).toMatch(/- Summarize first in \[-two-\] words\./)
  })

  test('says what it needs where require() of modules is switched off', async () => {
    const project = new VitestProject('runners')
    const load = `-p "typeof require('vitest-cassette/open-cassette').openCassette" 2>&1`
    expect((await project.shell(`node ${load}`)).output.trim()).toBe('function')
    const off = await project.shell(`node --no-experimental-require-module ${load}`)
    expect(off.output).toContain('vitest-cassette needs require() of ES modules')
  })
})

describe('the code of docs/other-runners.md', () => {
  const page = readFileSync(new URL('../../docs/other-runners.md', import.meta.url), 'utf8')
  const blocks = Array.from(
    page.matchAll(/```\w+\n(?:\/\/|#) (\S+)\n([^]*?)```/g),
    ([, file, code]) => [file!, code!] as const,
  )

  for (const [name, command] of [
    ['node:test', 'node --test summary.test.mjs'],
    ['Jest', `${JEST} --rootDir . --testMatch '**/common.mocha.cjs'`],
    [
      'Jest with another environment',
      `${JEST} --testEnvironment ./jest-environment.mjs --testMatch '**/common.mocha.cjs'`,
    ],
    ['Bun', `${BUN} test ./common.bun.test.cjs`],
  ] as const)
    testIf(isNight || name !== 'Bun')(
      `records and replays by ${name}`,
      needs(...neededBy(name)),
      async () => {
        const own = await startUpstream()
        const project = new VitestProject('runners', { UPSTREAM_URL: own.url })
        for (const [file, code] of blocks) project.write(file, code)
        const recorded = await project.shell(`${command} 2>&1`, { RECORD: '1' })
        await own.stop()
        expect(recorded.exitCode, recorded.output).toBe(0)
        expect(project.files().length).toBeGreaterThan(0)
        const replayed = await project.shell(`${command} 2>&1`)
        expect(replayed.exitCode, replayed.output).toBe(0)
        const drifted = await project.shell(`${command} 2>&1`, { WORD: 'three' })
        expect(drifted.exitCode).not.toBe(0)
        expect(drifted.output).toMatch(/CassetteError\]?: The prompt changed/)
      },
    )
})

// Runtimes that are not Node, and how each runs a test file.
for (const [need, runtime, tests] of [
  ['bun', BUN, `test ./asks.bun.test.ts`],
  ['deno', 'deno', 'test -A --no-check asks.deno.test.ts'],
] as const)
  test(
    `${need} is answered by the command, and its changed prompts fail the run`,
    needs(need),
    async () => {
      const own = await startUpstream()
      const project = new VitestProject('runners', { OPENAI_BASE_URL: `${own.url}/v1` })
      const command = `run --cassette __recordings__/asks.json -- ${runtime} ${tests} 2>&1`
      const recorded = await project.cli(command, { RECORD: '1' })
      await own.stop()
      expect(recorded.exitCode, recorded.output).toBe(0)
      const replayed = await project.cli(command)
      expect(replayed.exitCode, replayed.output).toBe(0)
      expect(replayed.output).toMatch(/[12] replayed/)
      const drifted = await project.cli(command, { WORD: 'three' })
      expect(drifted.exitCode, drifted.output).toBe(1)
      expect(drifted.output).toContain('+ Summarize a report in {+three+} words.')
    },
  )

test('deno may not open a cassette itself', needs('deno'), async () => {
  const { output } = await new VitestProject('runners').shell('deno run -A opens.mjs 2>&1')
  expect(output).toContain('npx vitest-cassette run -- ')
})

if (isNight)
  describe('Bun', needs('bun'), () => {
    test('takes tests that name their functions as globals, or by require()', async () => {
      const own = await startUpstream()
      const project = new VitestProject('runners', { UPSTREAM_URL: own.url })
      const command = `${BUN_TEST} ./globals.bun.test.ts ./common.bun.test.cjs 2>&1`
      const recorded = await project.shell(command, { RECORD: '1' })
      await own.stop()
      expect(recorded.exitCode, recorded.output).toBe(0)
      expect(project.files('__recordings__/globals.bun.test.ts')).toHaveLength(2)
      expect(project.files('__recordings__/common.bun.test.cjs')).toHaveLength(1)
      expect((await project.shell(command)).exitCode).toBe(0)
      const { exitCode, output } = await project.shell(command, { WORD: 'three' })
      expect(exitCode).toBe(1)
      expect(output).toMatch(/ 0 pass\n 2 fail/)
    })

    test('sends nothing to a provider by any of its clients, and fails each test that asks', async () => {
      const project = new VitestProject('runners')
      const { exitCode, output } = await project.shell(`${BUN_TEST} ./refused.bun.test.ts 2>&1`)
      expect(exitCode).toBe(1)
      expect(output).toMatch(/ 0 pass\n 10 fail\n/)
      for (const [, name] of output.matchAll(/\(fail\) (.+) \[/g))
        expect(output).toMatch(
          new RegExp(`CassetteError: .*(?:\n.*){1,3}test +refused.bun.test.ts > ${name}`),
        )
      expect(output).not.toMatch(/getaddrinfo|ENOTFOUND|ECONNREFUSED/)
    })

    test('opens a cassette in a program', async () => {
      const own = await startUpstream()
      const project = new VitestProject('runners', { UPSTREAM_URL: own.url })
      const recorded = await project.shell(`${BUN} opens.mjs 2>&1`, { RECORD: '1' })
      await own.stop()
      expect(recorded.exitCode, recorded.output).toBe(0)
      expect((await project.shell(`${BUN} opens.mjs`)).exitCode).toBe(0)
      const { exitCode, output } = await project.shell(`${BUN} opens.mjs 2>&1`, { WORD: 'three' })
      expect(exitCode).toBe(1)
      expect(output).toContain('in {+three+} words.')
    })

    test('is named where its preload runs in Node', async () => {
      const { output } = await new VitestProject('runners').shell(
        'node -e "import(\'vitest-cassette/bun\')" 2>&1',
      )
      expect(output).toContain('preload = ["vitest-cassette/bun"]')
    })
  })
