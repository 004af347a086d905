import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, describe } from 'vitest'
import { expectGolden } from '../golden.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { builtCli, toldPeople, VitestProject, type Run } from './vitest-project.ts'

let upstream: Upstream
let project: VitestProject

beforeAll(async () => {
  upstream = await startUpstream()
  project = newProject()
})

afterAll(() => upstream.stop())

// Each goes on from what the one before has recorded.
describe('one suite, step by step', { shuffle: false }, () => {
  test('a filter records its tests alone, with the keys of .env, and says what it spent', async () => {
    const run = await record(['two'])
    expect(run).toMatchObject({ exitCode: 0, calls: 3 })
    await expectGolden(toldBy(run), 'first')
    expect(project.files()).toHaveLength(3)
  })

  test('--missing asks for what has no recording, and for nothing else', async () => {
    const before = project.contents()
    const run = await record(['--missing'])
    expect(run).toMatchObject({ exitCode: 0, calls: 3 })
    await expectGolden(toldBy(run), 'missing')
    expect(project.contents()).toMatchObject(before)
    expect(project.files()).toHaveLength(6)
  })

  test('where nothing misses, nothing is asked', async () => {
    const run = await record(['--changed'])
    expect(run).toMatchObject({ exitCode: 0, calls: 0 })
    await expectGolden(toldBy(run), 'nothing-misses')
  })

  test('with --json, standard output is what was recorded, and all else goes to standard error', async () => {
    const { output } = await project.shell('npx vitest-cassette record --changed --json 2> said')
    const { nothing, ...counts } = JSON.parse(output)
    expect(counts).toMatchObject({ cassettes: [], calls: 0, refused: 0 })
    expect(nothing).not.toBe('')
    expect(project.read('said')).toContain(nothing)
    const kept = await project.shell('npx vitest-cassette record --prompts --json 2> said')
    expect(JSON.parse(kept.output).cassettes).toContainEqual(
      expect.objectContaining({ recorded: 0, misses: 0, isRecorded: true }),
    )
    expect(project.read('said')).toContain(' passed')
  })

  test('--changed asks for what misses now, says what that cost last time, and what changed', async () => {
    const run = await record(['--changed'], { SYSTEM: 'Be very brief.', COUNT: '4' })
    expect(run, run.output).toMatchObject({ calls: 3 })
    await expectGolden(toldBy(run), 'changed')
    // The fourth of each file has no recording, and still misses.
    expect(run.exitCode).toBe(1)
  })

  test('what did not change is called as it was, though the provider renews its ids', async () => {
    const before = project.contents()
    const run = await record(['two', '-t', 'two 1'])
    expect(run, run.output).toMatchObject({ exitCode: 0, calls: 1 })
    await expectGolden(toldBy(run), 'as-it-was')
    expect(project.contents()).toEqual(before)
  })

  test('--max-cost sends no call that could pass it, and keeps the cassettes of what was paid for', async () => {
    const run = await record(['one', '--max-cost', '0.2'], { SYSTEM: 'Be dear.', COUNT: '40' })
    expect(run.exitCode).toBe(1)
    expect(toldBy(run)).toContain('$0.2000')
    const { tests } = project.json('node_modules/.cache/vitest-cassette/failures.json')
    expect(new Set(tests.map(({ code }: { code: string }) => code))).toEqual(
      new Set(['recording-refused']),
    )
    expect(tests).toHaveLength(40 - run.calls)
    expect(run.calls).toBeGreaterThan(10)
    expect(run.calls * 0.007).toBeLessThanOrEqual(0.2)
    expect(run.output).toContain(`Spent: ${run.calls} calls`)
    const paid = Object.values(project.contents()).filter((text) => text.includes('Be dear.'))
    expect(paid).toHaveLength(run.calls)
    const rest = await record(['one', '--missing'], { SYSTEM: 'Be dear.', COUNT: '40' })
    expect(rest).toMatchObject({ exitCode: 0, calls: 40 - run.calls })
  })

  test('after --max-cost, tests that kept their recording are named with the command for them', async () => {
    const run = await record(['two', '--max-cost', '0.01'])
    expect(run.exitCode).toBe(1)
    expect(run.output).not.toContain('record --missing')
    await expectGolden(toldBy(run), 'tests-that-kept-their-recording')
    const [, command] = / {2}npx vitest-cassette (record two\S*)\n/.exec(run.output)!
    const rest = await record(command!.split(' ').slice(1))
    expect(rest).toMatchObject({ exitCode: 0 })
    expect(rest.calls).toBeGreaterThan(1)
  })

  test('a run that is killed in the middle loses nothing that was paid for', async () => {
    const env = { SYSTEM: 'Be killed.', COUNT: '40' }
    const before = await upstream.count()
    const child = spawn(process.execPath, [builtCli(), 'record', 'one'], {
      cwd: project.dir,
      detached: true,
      stdio: 'ignore',
      env: { PATH: process.env.PATH, UPSTREAM_URL: upstream.oddUrl, ...env },
    })
    const ended = once(child, 'exit')
    while ((await upstream.count()) < before + 8) await delay(5)
    process.kill(-child.pid!, 'SIGKILL')
    await ended
    await delay(100)
    const paid = (await upstream.count()) - before
    await project.cli('recover --yes')
    const rest = await record(['one', '--changed'], env)
    expect(rest.exitCode, rest.output).toBe(0)
    // What was on its way when it was killed has not arrived.
    expect(rest.calls).toBeLessThanOrEqual(40 - paid + 1)
  })

  test('of several projects it records the one that is chosen, from its own folder of cassettes', async () => {
    const many = new VitestProject('orphans', { UPSTREAM_URL: upstream.oddUrl, PROJECTS: '1' })
    const first = await record(['--project', 'three'], {}, many)
    expect(first, first.output).toMatchObject({ exitCode: 0, calls: 2 })
    expect(many.files()).toEqual([])
    expect(many.files('packages/two/__recordings__')).toHaveLength(2)
    const again = await record(['--project', 'three'], {}, many)
    await expectGolden(toldBy(again), 'one-project-of-several')
  })
})

test.for([
  ['a file', ['twoo']],
  ['a file, with --changed', ['--changed', 'twoo']],
  ['a test', ['-t', 'no such test']],
  ['a test, with --missing', ['--missing', '-t', 'no such test']],
] as const)('a mistyped name of %s is no success', async ([, args]) => {
  const run = await record([...args])
  expect(run).toMatchObject({ exitCode: 1, calls: 0 })
  await expectGolden(lastWordsOf(run), 'no-test-ran')
})

test.for([[], ['--missing']])(
  'without the plugin, nothing is recorded, and that is said: %s',
  async (args) => {
    const own = newProject()
    own.write('vitest.config.ts', 'export default {}\n')
    const run = await record([...args, 'two'], { OPENAI_API_KEY: 'not-a-key-at-all' }, own)
    expect(run.exitCode).toBe(1)
    await expectGolden(lastWordsOf(run), `without-the-plugin${args.join('')}`)
  },
)

test.for([[], ['--missing']])(
  'an option that Vitest does not know is said to be one: %s',
  async (args) => {
    const run = await record([...args, '--bogus'])
    expect(run).toMatchObject({ exitCode: 2, calls: 0 })
    await expectGolden(run.output, 'unknown-to-Vitest')
  },
)

test('tests that fail where none misses are shown, and are no success', async () => {
  const own = newProject()
  await record(['two'], {}, own)
  const run = await record(['--changed', 'two'], { WANTED: 'three' }, own)
  expect(run).toMatchObject({ exitCode: 1, calls: 0 })
  await expectGolden(lastWordsOf(run), 'fails-for-another-reason')
  expect(run.output).toContain('AssertionError')
})

test('--changed records all tests of a file whose beforeAll misses, and settles at once', async () => {
  const own = newProject()
  own.write(
    'hooked.test.ts',
    [
      "import { beforeAll } from 'vitest'",
      "import { ask, suite } from './suite.ts'",
      "beforeAll(async () => void (await ask('one', 'in a hook')))",
      "suite('one')",
    ].join('\n'),
  )
  const first = await record(['hooked'], {}, own)
  expect(first, first.output).toMatchObject({ exitCode: 0, calls: 4 })
  const changed = { SYSTEM: 'Be very brief.' }
  const run = await record(['--changed', 'hooked'], changed, own)
  expect(run, run.output).toMatchObject({ exitCode: 0, calls: 4 })
  await expectGolden(toldBy(run), 'hooked')
  expect(await record(['--changed', 'hooked'], changed, own)).toMatchObject({ calls: 0 })
})

test('--missing records new tests, and leaves the changed prompts of others to --changed', async () => {
  const own = newProject()
  await record(['one'], {}, own)
  const before = own.contents()
  const typo = { SYSTEM: 'Be teh one.', COUNT: '4' }
  const run = await record(['one', '--missing'], typo, own)
  expect(run, run.output).toMatchObject({ calls: 1 })
  expect(run.output).toContain('1 new cassette.\n')
  expect(own.contents()).toMatchObject(before)
  const rest = await record(['one', '--missing'], typo, own)
  expect(rest, rest.output).toMatchObject({ exitCode: 1, calls: 0 })
  await expectGolden(lastWordsOf(rest), 'every-test-has-a-recording')
})

test('--kept asks for the kept answers of a file, and for no others', async () => {
  const own = newProject()
  await record(['one'], {}, own)
  const changed = { SYSTEM: 'Be very brief.' }
  const kept = await record(['one', '--prompts', '-t', 'one 1'], changed, own)
  expect(kept, kept.output).toMatchObject({ exitCode: 0, calls: 0 })
  const run = await record(['one', '--kept'], changed, own)
  // The others replay, with a prompt that is not recorded.
  expect(run, run.output).toMatchObject({ exitCode: 1, calls: 1 })
})

test('--missing runs the files alone whose tests miss, and CI refuses before anything runs', async () => {
  const own = newProject()
  const refused = await record(['--missing'], { CI: 'true' }, own)
  expect(refused).toMatchObject({ exitCode: 1, calls: 0 })
  await expectGolden(refused.output, 'refused-on-ci')
  await record(['two'], {}, own)
  const run = await record(['--missing'], {}, own)
  expect(run.output).toContain('one.test.ts')
  expect(run.output).not.toContain('two.test.ts')
})

test('a config that sets CI is named, in words alone', async () => {
  const own = newProject()
  own.write('vitest.config.ts', `process.env.CI = 'true'\n${own.read('vitest.config.ts')}`)
  const refused = await record(['one'], {}, own)
  expect(refused).toMatchObject({ exitCode: 1, calls: 0 })
  expect(refused.output).not.toMatch(/^ +at /m)
  await expectGolden(lastWordsOf(refused), 'config-sets-ci')
})

test('--missing records a test that takes longer than the usual time before it asks, as with programs that start slowly', async () => {
  const own = newProject()
  own.write(
    'slow.test.ts',
    [
      "import { setTimeout as delay } from 'node:timers/promises'",
      "import { test } from 'vitest'",
      "import { ask } from './suite.ts'",
      "test('slow', async () => {",
      '  await delay(5_500)',
      "  await ask('one', 'slowly')",
      '})',
    ].join('\n'),
  )
  const run = await record(['--missing', 'slow'], {}, own)
  expect(run, run.output).toMatchObject({ exitCode: 0, calls: 1 })
})

test('an address of .env is named, since a replay does not have it', async () => {
  const own = newProject()
  const keys = await record(['two'], {}, own)
  expect(keys.output).not.toContain('.env')
  own.write('.env', 'OPENAI_API_KEY=not-a-key-at-all\nOPENAI_BASE_URL=https://llm.example.com\n')
  const address = await record(['two', '--missing'], {}, own)
  await expectGolden(toldBy(address), 'address')
  const again = await record(['two', '--changed'], {}, own)
  expect(lastWordsOf(again)).toContain('OPENAI_BASE_URL')
  const known = await record(['two', '--missing'], { OPENAI_BASE_URL: 'https://a.example' }, own)
  expect(known.output).not.toContain('OPENAI_BASE_URL')
})

test.each([
  ['loads .env itself', "try { process.loadEnvFile('.env') } catch {}"],
  ['sets the address', "process.env.OPENAI_BASE_URL ??= 'https://llm.example.com'"],
])('an address of .env is not named where the config %s', async (_, line) => {
  const own = newProject()
  own.write('.env', 'OPENAI_API_KEY=not-a-key-at-all\nOPENAI_BASE_URL=https://llm.example.com\n')
  own.write('vitest.config.ts', `${line}\n${own.read('vitest.config.ts')}`)
  const { output, exitCode } = await record(['two'], {}, own)
  expect(exitCode, output).toBe(0)
  expect(output).toContain('3 recorded')
  expect(output).not.toMatch(/OPENAI_BASE_URL|failed/)
})

test('the keys of .env are read in the root that is chosen too, and win over those where the command runs', async () => {
  const own = newProject()
  mkdirSync(join(own.dir, 'own'))
  for (const file of ['one.test.ts', 'suite.ts', 'vitest.config.ts'])
    own.write(`own/${file}`, own.read(file))
  own.write('.env', 'COUNT=1\n')
  own.write('own/.env', 'OPENAI_API_KEY=not-a-key-at-all\nCOUNT=2\n')
  const run = await record(['--root', 'own'], {}, own)
  expect(run, run.output).toMatchObject({ exitCode: 0, calls: 2 })
})

test('new cassettes that git ignores are named', async () => {
  const own = newProject()
  own.write('.gitignore', 'node_modules\n__recordings__\n')
  await own.shell('git init -q')
  const ignored = await record(['two'], {}, own)
  expect(ignored.output).toContain('.gitignore:2:__recordings__')
  await expectGolden(toldBy(ignored), 'ignored-by-git')
  own.write('.gitignore', 'node_modules\n')
  expect((await record(['one'], {}, own)).output).not.toContain('.gitignore')
})

test('tests that failed, or were moved, are called what they are', async () => {
  const own = newProject()
  const moved = (name: string): void => {
    own.write(
      `${name}.test.ts`,
      [
        "import OpenAI from 'openai'",
        "import { expect, test } from 'vitest'",
        'const ask = async (): Promise<void> => {',
        '  const openai = new OpenAI({ baseURL: `${process.env.UPSTREAM_URL}/v1`, maxRetries: 0 })',
        "  const messages = [{ role: 'user' as const, content: process.env.SYSTEM ?? 'Hi' }]",
        "  await openai.chat.completions.create({ model: 'gpt-5', messages })",
        '}',
        "test('asks', ask)",
        "test('fails early', async () => {",
        '  expect(process.env.RECORD).not.toBe(process.env.FAILS_IN)',
        '  await ask()',
        '})',
      ].join('\n'),
    )
  }
  moved('old')
  const failed = await record(['old', '--missing'], { FAILS_IN: '1' }, own)
  expect(failed.exitCode).toBe(1)
  expect(failed.output).not.toContain('without a call')
  const first = await record(['old', '--missing'], {}, own)
  expect(first.exitCode, first.output).toBe(0)
  moved('new')
  await own.shell('rm old.test.ts && mv __recordings__/old.test.ts __recordings__/new.test.ts')
  const again = await record(['new'], {}, own)
  expect(again.exitCode, again.output).toBe(0)
  await expectGolden(toldBy(again), 'moved')
})

test('after Ctrl-C it says what is left, and how to go on', async () => {
  const own = newProject()
  const before = await upstream.count()
  const child = spawn(process.execPath, [builtCli(), 'record', 'one'], {
    cwd: own.dir,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, UPSTREAM_URL: upstream.oddUrl, COUNT: '60' },
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  const ended = once(child, 'close')
  while ((await upstream.count()) < before + 8) await delay(5)
  child.kill('SIGINT')
  const [code] = await ended
  expect(code, output).toBe(1)
  expect(output).toMatch(
    /^Stopped after \d+ of 60 tests\. [^\n]*\n {2}npx vitest-cassette record --missing$/m,
  )
})

test('a misspelled option is refused before Vitest runs', async () => {
  const run = await record(['--chnaged'])
  expect(run).toMatchObject({ exitCode: 2, calls: 0 })
  await expectGolden(run.output, 'misspelled')
})

test('a key that is refused is said to come from a file, or from the environment', async () => {
  const own = newProject()
  own.write(
    'refused.test.ts',
    [
      "import OpenAI from 'openai'",
      "import { test } from 'vitest'",
      "test('refused', async () => {",
      '  const openai = new OpenAI({ baseURL: `${process.env.UPSTREAM_URL}/v1`, maxRetries: 0 })',
      "  const messages = [{ role: 'user' as const, content: 'status 401' }]",
      "  await openai.chat.completions.create({ model: 'gpt-5', messages }).catch(() => 0)",
      '})',
    ].join('\n'),
  )
  own.write('.env.local', 'OPENAI_API_KEY=another-that-is-no-key\n')
  const file = await record(['refused'], {}, own)
  await expectGolden(toldBy(file), 'key-of-a-file')
  const shell = await record(['refused'], { OPENAI_API_KEY: 'no-key-either-at-all' }, own)
  await expectGolden(toldBy(shell), 'key-of-the-environment')
})

function newProject(): VitestProject {
  const made = new VitestProject('record', { UPSTREAM_URL: upstream.oddUrl })
  // Vitest itself reads no such name.
  made.write('.env', 'OPENAI_API_KEY=not-a-key-at-all\n')
  return made
}

/** Runs the command, and counts what it asked. */
async function record(
  args: string[],
  env: Record<string, string> = {},
  where: VitestProject = project,
): Promise<Run & { calls: number }> {
  const before = await upstream.count()
  const words = ['record', ...args].map((word) => `'${word}'`).join(' ')
  // Through one pipe all comes in its order.
  const run = await where.cli(`${words} 2>&1`, env)
  return { ...run, calls: (await upstream.count()) - before }
}

/** What a run prints for people, without its progress, Vitest's own part and our counts, which can come before or in it. */
function toldBy(run: Run): string {
  return toldPeople(run)
    .replaceAll(/^.*, \d+ s\n/gm, '')
    .replaceAll(/^ *Cassettes {2}.*\n(?: *Exchanges {2}.*\n)?\n?/gm, '')
    .replace(/^ RUN [^]*? Duration .*\n(?:\s+Isolate .*\n.*\n)?/m, '<the run of Vitest>\n')
    .replaceAll(/\d\S* s of waiting/g, '<seconds> of waiting')
}

/** Why nothing was recorded, with all that follows it. */
function lastWordsOf({ output }: Run): string {
  return output.slice(output.lastIndexOf('\nNothing ') + 1)
}

describe('what --missing does not record', { shuffle: false }, () => {
  let own: VitestProject
  let run: Run

  beforeAll(async () => {
    own = newProject()
    own.write(
      'fails.test.ts',
      "import { test } from 'vitest'\ntest('fails', () => { throw new Error('no database') })\n",
    )
    own.write('loads.test.ts', "import './gone.ts'\n")
    own.write(
      'swallows.test.ts',
      [
        "import { test } from 'vitest'",
        "import { ask } from './suite.ts'",
        "const isRecording = process.env.RECORD === '1'",
        "test('silent', async () => void (isRecording ? 0 : await ask('one', 'x').catch(() => 0)))",
      ].join('\n'),
    )
    run = await record(['--missing'], {}, own)
  })

  test('failures of its first run are named, and are no success', () => {
    expect(run).toMatchObject({ exitCode: 1, calls: 6 })
    expect(run.output).toContain('\n  fails.test.ts > fails: no database\n')
    expect(run.output).toMatch(/\n {2}loads\.test\.ts: .*gone\.ts/)
  })

  test('a test that still has no cassette is named, and is no success', async () => {
    expect(run.output).toContain('\n  swallows.test.ts > silent\n')
    expect(run.output).not.toContain('OPENAI_API_KEY')
    await expectGolden(toldBy(run).replace(/(loads\.test\.ts): .*/, '$1: <why>'), 'not-recorded')
  })

  test('without a key, that is said', async () => {
    own.write('.env', '')
    const keyless = await record(['--missing', 'swallows'], {}, own)
    expect(keyless).toMatchObject({ exitCode: 1, calls: 0 })
    expect(keyless.output).toContain('OPENAI_API_KEY')
    await expectGolden(toldBy(keyless), 'keyless')
  })
})
