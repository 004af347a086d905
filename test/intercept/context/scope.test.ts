import { expect, test } from 'vitest'
import type { Environment } from '../../../src/config/environment.ts'
import { resolveConfig } from '../../../src/config/resolved-config.ts'
import { askAgain } from '../../../src/engine/replay-at-once.ts'
import { Verbatim } from '../../../src/engine/verbatim.ts'
import { TestScope } from '../../../src/intercept/context/scope.ts'
import { openExample, question, recorded } from '../../engine/example-session.ts'

const nowhere: Environment = { ci: false, recordInCi: false }
const cassette = recorded([question('a'), 'one'], [question('b'), 'two'])

/** A scope, and what was opened for it, with the options that held. */
function open() {
  const opened: string[] = []
  const scope = new TestScope(resolveConfig({}, nowhere), {
    verbatim({ repeats }) {
      opened.push(`verbatim ${repeats}`)
      return new Verbatim(cassette)
    },
    session({ repeats }, asked) {
      opened.push(`session ${repeats}`)
      const session = openExample(cassette, { repeats })
      if (asked) askAgain(session, asked)
      return session
    },
  })
  return { scope, opened }
}

test('options hold for what is opened after them, and open nothing', () => {
  const { scope, opened } = open()
  scope.configure({ repeats: 'last' }, nowhere)
  expect([scope.config.repeats, opened]).toEqual(['last', []])
  expect(scope.verbatimAt(1)!.answer(question('a').wire, 1)).toBeDefined()
  expect(scope.session.asked).toHaveLength(1)
  expect(opened).toEqual(['verbatim last', 'session last'])
})

test('after the first request they are too late, also where no session was needed for it', () => {
  const { scope } = open()
  scope.verbatimAt(1)!.answer(question('a').wire, 1)
  expect(() => scope.configure({ repeats: 'last' }, nowhere)).toThrow(
    'repeats: set after the first request of the test "a.test.ts > asks"',
  )
  scope.configure({ unused: 'warn' }, nowhere)
  expect(scope.config.unused).toBe('warn')
})

test('and after the end, where nothing was asked', () => {
  const { scope } = open()
  scope.close()
  expect(() => scope.configure({ unused: 'warn' }, nowhere)).toThrow('unused: set after the end')
})
