import { expect, test } from 'vitest'
import type { VolatileRule } from '../../src/config/volatile-rule.ts'
import { explainMiss } from '../explain/as-reported.ts'
import type { RenderedFailure } from '../../src/explain/failure.ts'

import { readIncoming } from '../../src/engine/incoming.ts'
import type { JsonObject } from '../../src/json/json-value.ts'
import { openExample, question, recorded } from '../engine/example-session.ts'
import { suggestRules } from '../../src/features/suggest.ts'
import { STARTED_HERE } from '../../src/errors.ts'
import { expectGolden } from '../golden.ts'

/** What a failure says when one prompt was recorded and another is asked. */
function miss(
  [before, fields]: [string, JsonObject?],
  [now, fieldsNow]: [string, JsonObject?],
  volatile: VolatileRule[] = [],
  callSite?: Error,
): RenderedFailure {
  const session = openExample(recorded([question(before, fields), 'ok']), { volatile })
  session.answer(readIncoming(question(now, fieldsNow).wire, { volatile }), { order: 1, callSite })
  return explainMiss(session, session.misses[0]!, false)
}

test('a date that differs is named with the line that settles it', () => {
  const { headline, details } = miss(
    ['Today is November 20, 2026.'],
    ['Today is November 21, 2026.'],
  )
  expect(headline).toContain(' (date-phrase): ')
  expect(details).toContain('"November 20, 2026" → "November 21, 2026"  date-phrase')
  expect(details).toContain("volatile: ['date-phrase']\n")
  expect(details).toContain("vi.setSystemTime(new Date('2026-11-20T12:00'))")
})

test.for([
  [
    'at 2026-11-20T18:47:58.123Z',
    'at 2026-11-21T08:00:00.000Z',
    'iso-datetime',
    '2026-11-20T18:47:58.123Z',
  ],
  ['ts 1732212345', 'ts 1732299999', 'epoch', '2024-11-21T18:05:45.000Z'],
  ['Today is 2026-11-20.', 'Today is 2026-11-21.', 'date-phrase', '2026-11-20T12:00'],
  [
    'Sat, 21 Nov 2026 18:47:58 GMT',
    'Sun, 22 Nov 2026 18:47:58 GMT',
    'date-phrase',
    '2026-11-21T18:47:58.000Z',
  ],
] as const)(
  'of "%s" it is told at which time the clock has to stand',
  ([one, other, rule, time]) => {
    const { details } = miss([one], [other])
    expect(details).toContain(`volatile: ['${rule}']`)
    expect(details).toContain(`vi.setSystemTime(new Date('${time}'))`)
  },
)

test('of a program that a test has started no clock is stopped: it has its own', () => {
  const { details } = miss(['on 2026-11-20'], ['on 2026-11-21'], [], new Error(STARTED_HERE))
  expect(details).toContain("volatile: ['date-phrase']")
  expect(details).not.toContain('setSystemTime')
})

test('several times cannot be had by stopping the clock', () => {
  const { details } = miss(['from 2026-11-20 to 2026-11-22'], ['from 2026-12-20 to 2026-12-22'])
  expect(details).toContain("volatile: ['date-phrase']")
  expect(details).not.toContain('setSystemTime')
})

test('what is declared already stays in the line', () => {
  const find = function findTickets(): string[] {
    return []
  }
  const { details } = miss(['in /tmp/a-1/x'], ['in /tmp/a-2/x'], ['uuid', /req-\d+/, find])
  expect(details).toContain("volatile: ['uuid', /req-\\d+/, findTickets, 'tmp-path']")
})

test('a place is named where it is more precise than a rule', () => {
  const { details } = miss(
    ['hi', { metadata: { session_id: '3f2b8c1e-5d4a-4c6b-9e8f-0a1b2c3d4e5f' } }],
    ['hi', { metadata: { session_id: '11111111-5d4a-4c6b-9e8f-0a1b2c3d4e5f' } }],
  )
  expect(details).toContain("volatile: ['$.metadata.session_id']")
})

test('several rules are named together, and none that is not needed', () => {
  const { details } = miss(
    ['Today is 2026-11-20. Work in /tmp/a-1 on localhost:4000, at 10:30 of 4f1c9a7be210.'],
    ['Today is 2026-11-21. Work in /tmp/a-2 on localhost:4001, at 10:30 of 4f1c9a7be210.'],
  )
  expect(details).toContain("volatile: ['date-phrase', 'tmp-path', 'localhost-port']")
})

/** The paragraph behind the diff and before the commands, if there is one. */
function hintIn({ details }: RenderedFailure): string | undefined {
  return details.split('\n\n').slice(3, -1).join('\n\n') || undefined
}

test.for([
  ['Today is 2026-11-20. Be brief.', 'Today is 2026-11-21. Be kind.'],
  ['Today is 2026-11-20.', 'Today is tomorrow.'],
  ['Use gpt-4o-2024-08-06.', 'Use gpt-4o-2024-11-20.'],
  ['from 2026-11-20 to 2026-11-20', 'from 2026-12-20 to 2026-12-22'],
])('nothing is promised if more differs: %s', ([one, other]) => {
  expect(suggestRules(question(one!), question(other!), [])).toBeUndefined()
  const { details } = miss([one!], [other!])
  expect(details).not.toContain('volatile: [')
  expect(details).not.toContain('setSystemTime')
})

test('a model of another date is another model', () => {
  const { details } = miss(
    ['hi', { model: 'gpt-4o-2024-08-06' }],
    ['hi', { model: 'gpt-4o-2024-11-20' }],
  )
  expect(details).not.toContain('volatile: [')
})

test('values that vary as declared, but not each for itself, are told apart from other changes', async () => {
  const { headline, details } = miss(
    ['from 2026-11-20 to 2026-11-22'],
    ['from 2026-12-20 to 2026-12-20'],
    ['date-phrase'],
  )
  const advice = details.split('\n\n').at(-2)!
  expect(advice).toContain('vi.setSystemTime(')
  await expectGolden(`${headline}\n\n${advice}`, 'equal-values')
})

test('a diff does not show what may vary', () => {
  const { headline, details } = miss(
    ['Today is 2026-11-20. Be brief.'],
    ['Today is 2026-11-21. Be kind.'],
    ['date-phrase'],
  )
  expect(headline).toContain('brief')
  expect(details).not.toContain('2026-11-2')
  expect(details).toContain('<date-phrase 1>')
})

const RUN_ONE = { metadata: { run: '0.8371', id: '3f2b8c1e-5d4a-4c6b-9e8f-0a1b2c3d4e5f' } }
const RUN_TWO = { metadata: { run: '0.1294', id: '11111111-5d4a-4c6b-9e8f-0a1b2c3d4e5f' } }

test('a value beside the prompt that no rule recognises is offered by its place', () => {
  const [one, other] = [question('on 2026-11-20', RUN_ONE), question('on 2026-11-21', RUN_TWO)]
  expect(suggestRules(one, other, [])).toBeUndefined()
  const { details } = miss(
    ['on 2026-11-20', { metadata: { ...RUN_ONE.metadata } }],
    ['on 2026-11-21', { metadata: { ...RUN_TWO.metadata } }],
  )
  expect(details).toContain('"2026-11-20" → "2026-11-21"  date-phrase')
  expect(details).toContain('"0.8371" → "0.1294"  $.metadata.run')
  expect(details).toContain("volatile: ['date-phrase', '$.metadata.id', '$.metadata.run']\n")
})

test('the line that a failure proposes makes the two requests one', () => {
  const volatile: VolatileRule[] = ['date-phrase', '$.metadata.id', '$.metadata.run']
  const [one, other] = [question('on 2026-11-20', RUN_ONE), question('on 2026-11-21', RUN_TWO)]
  expect(readIncoming(one.wire, { volatile }).hash).toBe(
    readIncoming(other.wire, { volatile }).hash,
  )
})

test('the files are named where the line can stand', () => {
  const { details } = miss(['on 2026-11-20'], ['on 2026-11-21'])
  expect(details).toMatch(/ cassettes\(\{ … \}\) [^]* useCassette\(\{ … \}\) in a\.test\.ts/)
})

test('what is recognised is named where something in a text is not', async () => {
  const explanation = miss(
    ['Run 0.8371 of 3f2b8c1e-5d4a-4c6b-9e8f-0a1b2c3d4e5f'],
    ['Run 0.1294 of 11111111-5d4a-4c6b-9e8f-0a1b2c3d4e5f'],
  )
  const hint = hintIn(explanation)!
  expect(hint).toMatch(/"3f2b8c1e.*" → "11111111.*"  uuid/)
  expect(explanation.details).not.toContain('volatile: [')
  await expectGolden(hint, 'something-else-differs')
})

test.for([
  ['temperature', 0.7, 0.8],
  ['seed', 1, 2],
  ['max_tokens', 100, 200],
] as const)('a parameter of the prompt is offered as no place: %s', ([name, before, now]) => {
  const { details } = miss(
    ['on 2026-11-20', { [name]: before }],
    ['on 2026-11-21', { [name]: now }],
  )
  expect(details).not.toContain('volatile: [')
})

test('a name with spaces is no value of a run, so no rule is offered for it, and the failure is explained', () => {
  const session = openExample(recorded([question('Hi', { user: 'Jane Doe' }), 'one']))
  session.answer(question('Hi', { user: 'John Doe' }), { order: 1 })
  const { code, headline, details } = explainMiss(session, session.misses[0]!, false)
  expect(code).toBe('miss')
  expect(headline).toContain('user')
  expect(details).not.toContain('volatile:')
})
