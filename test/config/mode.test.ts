import { expect, test } from 'vitest'
import { readEnvironment } from '../../src/config/environment.ts'
import { resolveConfig } from '../../src/config/resolved-config.ts'
import { decideMode } from '../../src/config/decide-mode.ts'
import type { CachingStrategy, Mode } from '../../src/config/mode.ts'
import { coded, expectGolden, failureOf } from '../golden.ts'

function modeOf(env: Record<string, string>, option?: Mode | CachingStrategy): Mode {
  return decideMode(option, readEnvironment(env))
}

test('RECORD says what is recorded, and wins over the option', () => {
  const modes = ['1', 'true', 'all', 'ALL', 'new', 'off', '0', 'false', '', 'none', 'replay']
  expect(modes.map((RECORD) => modeOf({ RECORD }))).toEqual([
    'all',
    'all',
    'all',
    'all',
    'new',
    'off',
    'replay',
    'replay',
    'replay',
    'replay',
    'replay',
  ])
  expect(modeOf({ RECORD: '0' }, 'all')).toBe('replay')
  expect(modeOf({}, 'new')).toBe('new')
  expect(modeOf({})).toBe('replay')
})

test('RECORD=all-bytes records all, and says so', () => {
  expect(modeOf({ RECORD: 'all-bytes' })).toBe('all')
  const resolve = (RECORD: string) => resolveConfig({}, readEnvironment({ RECORD }))
  expect(resolve('all-bytes')).toMatchObject({ mode: 'all', renews: true, allBytes: true })
  expect(resolve('all').allBytes).toBeUndefined()
})

test('the strategies of a cache are modes too, for RECORD and for the option', () => {
  const strategies = ['read', 'write', 'both', 'no'] as const
  const modes = ['replay', 'all', 'new', 'off']
  expect(strategies.map((RECORD) => modeOf({ RECORD }))).toEqual(modes)
  expect(strategies.map((option) => modeOf({}, option))).toEqual(modes)
  expect(() => modeOf({ RECORD: 'both', CI: '1' })).toThrow(coded('recording-refused'))
  expect(modeOf({ CI: '1' }, 'write')).toBe('replay')
})

test('RECORD=prompts changes cassettes, so CI refuses it; what every object has is no mode', () => {
  expect(modeOf({ RECORD: 'prompts' })).toBe('prompts')
  expect(() => modeOf({ RECORD: 'prompts', CI: '1' })).toThrow(coded('recording-refused'))
  expect(modeOf({ CI: '1' }, 'prompts')).toBe('replay')
  const builtIn = () => modeOf({ RECORD: 'constructor' })
  expect(builtIn).toThrow(coded('invalid-environment'))
  expect(builtIn).toThrow('RECORD=constructor')
})

test('a misspelt RECORD lists the modes', async () => {
  const misspelt = () => modeOf({ RECORD: 'tpyo' })
  expect(misspelt).toThrow(/RECORD=tpyo [^]*RECORD=1[^]*RECORD=new[^]*RECORD=off/)
  await expectGolden(await failureOf(misspelt), 'misspelt')
})

test('RECORD on CI is refused, and the message says how to override', async () => {
  const onCi = () => modeOf({ RECORD: '1', CI: 'true' })
  expect(onCi).toThrow(/ CI [^]*RECORD_IN_CI=1/)
  await expectGolden(await failureOf(onCi), 'on-ci')
  const onGithub = () => modeOf({ RECORD: 'new', GITHUB_ACTIONS: 'true' })
  expect(onGithub).toThrow(coded('recording-refused'))
  expect(modeOf({ RECORD: '1', CI: '1', RECORD_IN_CI: '1' })).toBe('all')
  expect(modeOf({ RECORD: '0', CI: '1' })).toBe('replay')
})

test('on CI an option that records means replay', () => {
  expect(modeOf({ CI: '1' }, 'new')).toBe('replay')
  expect(modeOf({ CI: '1' }, 'off')).toBe('off')
})

test.for(['0', 'false', '', 'False'])('CI=%s is no CI', (CI) => {
  expect(modeOf({ CI, RECORD: '1' })).toBe('all')
})
