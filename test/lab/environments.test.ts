import { expect, test } from 'vitest'
import { made, whole } from './lab.ts'

const TESTS = [
  'asks',
  'asks by node:http, in Köln',
  'asks with the client of the other file',
  'streams',
]

/** Each variant of the scenario is one pool, isolation or environment, and has one worker for all files. */
const VARIANTS = [
  'environments',
  'environments-vm-threads',
  'environments-vm-forks',
  'environments-threads',
  'environments-unisolated',
  'environments-unisolated-threads',
  'environments-jsdom',
  'environments-jsdom-vm',
  'environments-happy-dom',
  'environments-happy-dom-vm',
  'environments-own-fetch',
  'environments-own-fetch-threads',
]

test.for(VARIANTS)('every test records a cassette of its own, and replays: %s', (name) => {
  const cassettes = made('environments', 'record').cassettes
  expect(cassettes).toHaveLength(TESTS.length)
  expect(made(name, 'record').titles('passed')).toEqual(TESTS)
  expect(made(name, 'record').cassettes).toEqual(cassettes)
  expect(made(name, 'replay').titles('passed')).toEqual(TESTS)
  expect(made(name, 'replay').replayed).toBe(TESTS.length)
})

test.for(['threads', 'vmThreads', 'vmForks', 'without isolation'] as const)(
  'what was recorded in isolated forks replays: %s',
  (run) => {
    expect(made('environments', run).titles('passed')).toEqual(TESTS)
    expect(made('environments', run).replayed).toBe(TESTS.length)
  },
)

test('the fetch of an environment is no mock that hides requests', () => {
  const [, unrecorded = ''] = whole('record').output.split(/^ *Unrecorded /m)
  expect(unrecorded.split('\n\n')[0]).not.toContain('environments')
})

test.for([
  'environments',
  'environments-vm-threads',
  'environments-unisolated',
  'environments-jsdom-vm',
])('a changed prompt fails its test alone: %s', (name) => {
  const changed = made(name, 'changed')
  const title = 'asks with the client of the other file'
  expect(changed.titles('failed')).toEqual([title])
  expect(changed.code(title)).toBe('miss')
  expect(changed.changes(title)).toMatchObject([{ before: 'Hello', after: 'Goodbye' }])
  expect(changed.replayed).toBe(TESTS.length - 1)
})

test('an environment whose globals nothing can replace is refused in a vm pool, with the pools that can', async () => {
  const refused = whole('vmThreads').ofFiles.filter(
    ({ scenario }) => scenario === 'environments-own-fetch',
  )
  expect(refused.map(({ file }) => file).toSorted()).toEqual(['chat.test.ts', 'http.test.ts'])
  const [{ text, code }] = refused as [(typeof refused)[0]]
  expect(code).toBe('unsupported-vitest')
  await expect(text).toMatchFileSnapshot('golden/environments/vm-pool.txt')
})
