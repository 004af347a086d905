import { expect, test } from 'vitest'
import type { Cassette } from '../../../src/cassette/cassette.ts'
import { describeTurns } from '../../../src/recording/describe.ts'
import { explainMiss } from '../as-reported.ts'
import { explainBriefly } from '../../../src/explain/explain-miss.ts'
import { readIncoming, type Incoming } from '../../../src/engine/incoming.ts'
import { readText } from '../../../src/wire/body.ts'
import type { Session } from '../../../src/engine/session.ts'
import { openExample, question } from '../../engine/example-session.ts'
import { expectGolden } from '../../golden.ts'

const [A, B, C] = ['a', 'b', 'c'].map((name) => `https://${name}.invalid/v1/chat/completions`)

/** The same question at another address. */
function at(url: string, text = 'Hello'): Incoming {
  return readIncoming({ ...question(text).wire, url })
}

/** A cassette in which each address leads to the next. */
function leading(...urls: string[]): Cassette {
  const steps = urls.slice(1).map((location, index) => ({
    incoming: at(urls[index]!),
    response: { status: 307, headers: { location }, body: readText('Moved.') },
  }))
  return {
    conversationId: 'a.test.ts > asks',
    timestamp: '2026-01-01T00:00:00.000Z',
    exchanges: describeTurns(steps),
  }
}

function ask(session: Session, ...asked: Incoming[]): string[] {
  return asked.map((incoming, order) => session.answer(incoming, { order }).action)
}

test('a redirect to what is not recorded is told with the answer that redirects, and what settles it', async () => {
  const session = openExample(leading(A!, B!))
  expect(ask(session, at(A!), at(B!))).toEqual(['replay', 'refuse'])
  const { headline, details, missed } = explainMiss(session, session.misses[0]!, false)
  expect(urlsIn(headline)).toEqual([A, B])
  const [, advice, ...more] = details.split('\n\n')
  expect(advice).toContain('b.invalid')
  expect(advice!.endsWith(`\n  ${session.test.recordCommand}`), advice).toBe(true)
  // It is compared with no exchange.
  expect(more).toEqual([])
  expect(missed).toEqual([{ url: B }])
  expect(explainBriefly(session, session.misses[0]!)).toContain(headline)
  await expectGolden(`${headline}\n\n${advice}`, 'redirect')
})

function urlsIn(text: string): string[] {
  return text.match(/https:[^\s;]+/g) ?? []
}

test('in a chain it is the last answer that is named', () => {
  const session = openExample(leading(A!, B!, C!))
  expect(ask(session, at(A!), at(B!), at(C!))).toEqual(['replay', 'replay', 'refuse'])
  expect(urlsIn(explainMiss(session, session.misses[0]!, false).headline)).toEqual([B, C])
})

test('a loop ends where all of it was replayed', () => {
  const session = openExample(leading(A!, B!, A!))
  expect(ask(session, at(A!), at(B!), at(A!))).toEqual(['replay', 'replay', 'refuse'])
  const { headline } = explainMiss(session, session.misses[0]!, false)
  expect(urlsIn(headline)).toEqual([])
  expect(headline).toContain('1 of 1')
})

test('where the address has a recording, the difference is shown', () => {
  const session = openExample(leading(A!, B!, C!))
  expect(ask(session, at(A!), at(B!, 'Bye'))).toEqual(['replay', 'refuse'])
  const { headline, missed } = explainMiss(session, session.misses[0]!, false)
  expect(urlsIn(headline)).toEqual([])
  expect(missed![0]!.changes).toMatchObject([{ before: 'Hello', after: 'Bye' }])
})
