import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { needs } from '../needs.ts'
import { type Made, made as madeOf, scenario } from './lab.ts'

scenario('served', (made) => {
  test.for([
    ['that beforeAll has started', 'asks-first', ['first']],
    ['beside its own calls', 'asks-second', ['second', 'by itself']],
    ['in the attempt that passes', 'tries-again', ['again']],
  ] as const)(
    'a call of a server in the process of the tests belongs to the test that asked it: %s',
    ([, slug, prompts]) => expect(made('record').prompts(slug)).toEqual(prompts),
  )

  test.for([
    ['the first test', 'starts-it', ['starts']],
    ['a later test', 'finds-it', ['finds', 'again']],
  ] as const)(
    'a call of a server that the first test of a file starts belongs to the test that asked it: %s',
    ([, slug, prompts]) => {
      const record = made('record')
      for (const name of ['one', 'two']) {
        const file = record.cassettes.find((path) =>
          path.startsWith(`lazy-${name}.test.ts/${slug}`),
        )
        expect(promptsAt(record, file!)).toEqual(prompts.map((prompt) => `${name} ${prompt}`))
      }
    },
  )

  test('calls of hooks of the file, and of tests that run at the same time, belong to the file', () => {
    const [first, ...others] = promptsOfFile('before-all.test.ts')
    expect(first).toBe('warm up')
    expect(others.toSorted()).toEqual(['good bye', 'one', 'other'])
  })

  test(
    'a process that asks for many tests gets the test of each request from its headers',
    needs('python3'),
    () => {
      expect(made('record').titles('failed')).toEqual([])
      const ofServer = made('record')
        .cassettes.filter((path) => /^app-server.*\/asks-/.test(path) && !path.includes('_file'))
        .map((path) => promptsAt(made('record'), path))
      expect(ofServer.toSorted()).toEqual(
        ['Node', 'Python']
          .flatMap((name) =>
            ['one', 'other'].map((who) => [
              `question of ${who} of ${name}`,
              `thanks of ${who} of ${name}`,
            ]),
          )
          .toSorted(),
      )
      expect(promptsOfFile('app-server.test.ts')).toEqual(['no headers of Node'])
    },
  )

  test('the Python server makes its base URL as the docs say', () => {
    const docs = readFileSync(`${import.meta.dirname}/../../docs/processes.md`, 'utf8')
    const [, recipe] = /```python\n(def base_url[^]+?)```/.exec(docs)!
    expect(made('record').read('app_server.py')).toContain(recipe)
  })

  test.for([
    ['with a process for each file', 'served', 'replay'],
    ['with one process and one server for both files', 'served', 'without isolation'],
    ['recorded by one process and one server for both files', 'served-shared', 'replay'],
  ] as const)('all of it replays with the provider away: %s', needs('python3'), ([, name, run]) => {
    expect(madeOf(name, run).titles('failed')).toEqual([])
    expect(madeOf(name, run).titles('passed')).toHaveLength(14)
  })

  test('one server for both files is recorded as one for each is', needs('python3'), () => {
    expect(madeOf('served-shared', 'record').titles('failed')).toEqual([])
    expect(madeOf('served-shared', 'record').cassettes).toEqual(made('record').cassettes)
  })

  test(
    'a changed prompt fails the test that asked the server, and no other',
    needs('python3'),
    () => {
      const changed = made('changed')
      const servers = ['Node', 'Python'].flatMap((name) =>
        ['one', 'other'].map((who) => `${name} > asks for ${who}`),
      )
      const titles = [...servers, 'asks first', 'finds it started']
      expect(changed.titles('failed')).toEqual(titles)
      for (const { errors } of changed.tests.filter(({ state }) => state === 'failed'))
        expect(errors.map(({ code }) => code)).toEqual(['miss'])
      for (const title of servers)
        expect(changed.changes(title)).toEqual([
          { place: 'message 1 user', before: 'thanks', after: 'many thanks' },
        ])
      expect(changed.changes('asks first')).toEqual([
        { place: 'message 1 user', before: 'first', after: 'the first' },
      ])
    },
  )

  test('a changed prompt without headers fails the file, and names the test that ran', async () => {
    const [error, ...others] = made('changed').ofFiles
    expect(others).toEqual([])
    expect(error).toMatchObject({ file: 'app-server.test.ts', code: 'miss' })
    await expect(error!.text).toMatchFileSnapshot('golden/served/no-headers.txt')
  })

  test('calls that were recorded for the whole file are found there, until they are recorded again', () => {
    const [replayed, again] = [
      madeOf('served-file', 'replay'),
      madeOf('served-file', 'record again'),
    ]
    expect(replayed.cassettes).toHaveLength(2)
    expect(replayed.titles('failed')).toEqual([])
    expect(replayed.titles('passed')).toHaveLength(4)
    expect(again.titles('failed')).toEqual([])
    const prompts = again.cassettes.map((path) => promptsAt(again, path).toSorted())
    expect(prompts).toEqual([
      ['good bye', 'one', 'other', 'warm up'],
      ['first'],
      ['by itself', 'second'],
    ])
  })

  function promptsOfFile(file: string): string[] {
    return promptsAt(made('record'), `${file}/_file.json`)
  }
})

function promptsAt(run: Made, path: string): string[] {
  return run.json(path).exchanges.map(({ prompt }: any) => prompt.text)
}
