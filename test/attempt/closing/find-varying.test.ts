import { expect, test } from 'vitest'
import type { VolatileRule } from '../../../src/config/volatile-rule.ts'
import { findVarying } from '../../../src/attempt/closing/find-varying.ts'
import { readIncoming } from '../../../src/engine/incoming.ts'
import { openExample, question } from '../../engine/example-session.ts'

const now = new Date(2026, 10, 26, 12)

function found(text: string, volatile: VolatileRule[] = []): string[] {
  const session = openExample(undefined, { mode: 'all' })
  session.answer(readIncoming(question(text).wire, { volatile }), { order: 0 })
  return findVarying(session, now).map((one) => one.text)
}

test.each([
  '2026-11-26',
  '2026/11/26',
  '11/26/2026',
  '26.11.2026',
  'Thursday, November 26, 2026',
  '26 Nov 2026',
  'Donnerstag, den 26. November 2026',
])('a prompt that holds the date of today is found: %s', (date) => {
  expect(found(`Today is\n${date}.`)).toEqual([date])
})

// In half of the time zones, the 25th or the 27th is today by UTC.
test.each([
  '2026-11-24',
  '2026-11-28',
  'November 26, 2025',
  'gpt-4o-2026-11-26',
  'October 26, 2026',
])('one that does not is not: %s', (text) => {
  expect(found(`Today is ${text}.`)).toEqual([])
})

test('one whose date is declared is not', () => {
  expect(found('Today is 2026-11-26.', ['date-phrase'])).toEqual([])
})

test.each([
  '/tmp/agent-q3XgTf',
  '/private/var/folders/zz/abc123/T/agent-Xg3TfP',
  '/var/tmp/tmpab3d_f1x',
])('a prompt that holds a folder of mkdtemp is found: %s', (folder) => {
  expect(found(`You work in ${folder}/repo.`)).toEqual([folder])
})

test.each(['/tmp/agent', '/tmp/work-space', '/tmp/build-agent7', '/home/me/q3XgTf', '/tmp/2026'])(
  'a folder of a fixed name is not: %s',
  (folder) => {
    expect(found(`You work in ${folder}/repo.`)).toEqual([])
  },
)

test('a folder that is declared is not', () => {
  expect(found('You work in /tmp/agent-q3XgTf.', ['tmp-path'])).toEqual([])
})
