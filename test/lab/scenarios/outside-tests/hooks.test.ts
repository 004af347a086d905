import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test as base,
} from 'vitest'
import { ask } from '../ask.ts'
import { edited } from '../changed.ts'
import { keep } from '../keep.ts'

const answers = [await ask('module')]

const test = base
  .extend('fixture', () => ask(edited('fixture', 'the fixture')))
  .extend('automatic', { auto: true }, () => ask('automatic fixture'))

beforeAll(async () => {
  answers.push(await ask('beforeAll'))
})
afterAll(async () => {
  answers.push(await ask('afterAll'))
  keep('answers', answers)
})
beforeEach(async () => {
  answers.push(await ask('beforeEach'))
})
afterEach(async () => {
  answers.push(await ask('afterEach'))
})

test('asks in hooks and fixtures', async ({ fixture, automatic }) => {
  onTestFinished(async () => {
    answers.push(await ask('onTestFinished'))
  })
  answers.push(fixture, automatic)
  expect(await ask('test')).toBe('Odd: test')
})

describe('a suite', () => {
  beforeAll(async () => {
    answers.push(await ask(edited('beforeAll of the suite', 'before the suite')))
  })

  test('asks in a suite', async () => {
    expect(await ask('test in a suite')).toBe('Odd: test in a suite')
  })
})
