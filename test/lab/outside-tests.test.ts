import { expect, test } from 'vitest'
import { type Made, made as madeOf, scenario } from './lab.ts'

scenario('outside-tests', (made) => {
  test('what is asked outside of tests goes to the cassette of the file, hooks of a test to its own', () => {
    expect(made('record').titles('failed')).toEqual([])
    expect(promptsAt(made('record'), 'hooks.test.ts/_file.json')).toEqual([
      'module',
      'beforeAll',
      'beforeAll of the suite',
      'afterAll',
    ])
    const test = [
      'automatic fixture',
      'beforeEach',
      'fixture',
      'test',
      'afterEach',
      'onTestFinished',
    ]
    expect(made('record').prompts('asks-in-hooks').toSorted()).toEqual(test.toSorted())
    expect(made('record').prompts('asks-in-a-suite')).toEqual([
      'automatic fixture',
      'beforeEach',
      'test in a suite',
      'afterEach',
    ])
  })

  test('a request made after its test ended fails the file while recording, and no other test notices', async () => {
    const { ofFiles, cassettes } = made('record')
    expect(ofFiles).toMatchObject([{ file: 'late.test.ts', code: 'outside-test' }])
    await expect(ofFiles[0]!.text).toMatchFileSnapshot('golden/outside-tests/late-recording.txt')
    expect(cassettes.filter((file) => file.startsWith('late.test.ts/'))).toEqual([
      expect.stringContaining('runs-meanwhile'),
    ])
    expect(made('record').prompts('runs-meanwhile')).toEqual(['What is early?'])
  })

  test.for(['replay', 'without isolation'] as const)(
    'all of it replays with the provider away, in the run "%s"',
    (run) => {
      expect(made(run).titles('failed')).toEqual([])
      expect(made(run).titles('passed')).toHaveLength(11)
      expect(made(run).result('answers')).toHaveLength(11)
      expect(made(run).result('answers')).toEqual(made('record').result('answers'))
      expect(made(run).result('answers')).toContain('Odd: automatic fixture')
    },
  )

  test.for(['replay', 'without isolation'] as const)(
    'a request made after its test ended fails the file in the run "%s"',
    (run) => {
      expect(made(run).ofFiles).toMatchObject([{ file: 'late.test.ts', code: 'miss' }])
    },
  )

  test('the failure by a request after the end of its test names the test and the request', async () => {
    const [error] = made('replay').ofFiles
    await expect(error!.text).toMatchFileSnapshot('golden/outside-tests/late.txt')
  })

  test('a changed prompt of beforeAll fails the file, one of a fixture the test that needs it', () => {
    const changed = made('changed')
    expect(changed.titles('failed')).toEqual(['asks in hooks and fixtures'])
    expect(changed.code('asks in hooks')).toBe('miss')
    const ofFiles = changed.ofFiles.map(({ file, code }) => [file, code])
    expect(ofFiles).toContainEqual(['hooks.test.ts', 'miss'])
    // The other one is late in every run.
    expect(ofFiles).toHaveLength(2)
  })

  test('a changed prompt of the module level is explained where the import fails', async () => {
    expect(madeOf('outside-tests-module', 'replay').titles('failed')).toEqual([])
    const changed = madeOf('outside-tests-module', 'changed')
    expect(changed.titles('failed')).toEqual([])
    const [error, ...others] = changed.ofFiles
    expect(others).toEqual([])
    expect(error!.file).toBe('module.test.ts')
    await expect(error!.text).toMatchFileSnapshot('golden/outside-tests/module.txt')
  })

  test('a fixture of the file belongs to the test that needs it first', () => {
    const record = made('record')
    expect(record.prompts('needs-the-fixture-first')).toEqual(['persona', 'greet Odd: persona'])
    expect(record.prompts('needs-the-fixture-later')).toEqual(['part Odd: persona'])
  })

  test('a fixture of the file belongs to the file if a hook of the file needs it', () => {
    const record = made('record')
    expect(promptsAt(record, 'fixture-of-hook.test.ts/_file.json')).toEqual(['persona'])
    expect(record.prompts('greets-after-a-hook')).toEqual(['greet Odd: persona'])
  })

  test('what a fixture of the file asks at its end belongs to the file', () => {
    expect(promptsAt(made('record'), 'teardown.test.ts/_file.json')).toEqual(['leave, persona'])
  })
})

scenario('outside-tests-set-up', (made) => {
  test('what a set-up file asks goes to the cassette of the file, its hooks to those of tests, and replays', () => {
    const record = made('record')
    expect(record.titles('failed')).toEqual([])
    expect(promptsAt(record, 'set-up.test.ts/_file.json')).toEqual(['set-up file'])
    expect(record.prompts('has-what-its-set-up')).toEqual(['hook of a set-up file', 'test'])
    expect(made('replay').titles('failed')).toEqual([])
    expect(made('replay').ofFiles).toEqual([])
    expect(made('replay').titles('passed')).toHaveLength(1)
  })
})

function promptsAt(run: Made, path: string): string[] {
  return run.json(path).exchanges.map(({ prompt }: any) => prompt.text)
}
