import type { Vitest } from 'vitest/node'
import { expect, test } from 'vitest'
import {
  BENCH,
  commandFor,
  programOf,
} from '../../../../src/runners/vitest/reporters/other-command.ts'

function startedBy(program: string, configFile?: string, more: object = {}): string | undefined {
  const vitest = { vite: { config: { configFile } }, ...more } as unknown as Vitest
  return programOf(vitest, ['node', program, 'test', 'two words'])?.command
}

test.each([
  [`${process.cwd()}/tools/run-tests.mjs`, "node tools/run-tests.mjs test 'two words'"],
  [`${process.cwd()}/node_modules/.bin/ng`, "npx ng test 'two words'"],
  // A workspace of Vitest 3 needs no config in its root.
  ['/app/node_modules/.pnpm/vitest@3.2.7/node_modules/vitest/vitest.mjs', undefined],
  ['/app/node_modules/.bin/vitest', undefined],
])('without a config in a file, what %s runs is run by: %s', (program, command) => {
  expect(startedBy(program)).toBe(command)
  expect(startedBy(program, '/app/vitest.config.ts')).toBeUndefined()
})

test('a program that gives Vitest files of its own runs them, whatever config there is', () => {
  const include = ['**/*.eval.ts']
  const started = (more: object, program = '/app/node_modules/evalite/dist/bin.js') =>
    startedBy(program, '/app/vite.config.ts', more)
  const evalite = "npx evalite test 'two words'"
  expect(started({ _cliOptions: { include } })).toBe(evalite)
  expect(started({ config: { cliOptions: { include } } })).toBe(evalite)
  expect(started({ config: { cliOptions: {} } })).toBeUndefined()
  expect(started({ _cliOptions: { include } }, '/app/node_modules/.bin/vitest')).toBeUndefined()
})

test('another command has the modes alone, and takes the words of Vitest if it can', () => {
  const words = ['a.test.ts', '-t', 'asks']
  const program = { command: 'node run-tests.mjs', takesWords: false }
  expect(commandFor(undefined, words, 'changed')).toBe(
    'npx vitest-cassette record --changed a.test.ts -t asks',
  )
  expect(commandFor(undefined, words)).toBe('npx vitest-cassette record a.test.ts -t asks')
  expect(commandFor(program, words)).toBe('RECORD=1 node run-tests.mjs')
  expect(commandFor(program, words, 'changed')).toBe('RECORD=new node run-tests.mjs')
  expect(commandFor(program, words, 'missing')).toBe('RECORD=new node run-tests.mjs')
  expect(commandFor(BENCH, words, 'prompts')).toBe(
    'RECORD=prompts npx vitest bench --run a.test.ts -t asks',
  )
})
