import { afterEach, expect, test, vi } from 'vitest'
import { spelledIn } from '../secrets/spelled-in.ts'
import { HIDDEN_CHANGES, type Machine } from './hidden-changes.ts'
import { ENTRANCES, RecordedTest, type Sent } from './sent.ts'

afterEach(() => vi.unstubAllEnvs())

test.each(HIDDEN_CHANGES)(
  'what is replaced takes no change with it: $what',
  ({ here, elsewhere, changed, secret }) => {
    const recording = new RecordedTest(sentFrom(here))
    for (const entrance of ENTRANCES) {
      expect(recording.answers(sentFrom(here), entrance)).toBe(true)
      if (elsewhere) expect(recording.answers(sentFrom(elsewhere), entrance)).toBe(true)
      expect(recording.answers(sentFrom(changed), entrance)).toBe(false)
    }
    if (secret !== undefined) expect(spelledIn(recording.stored, secret)).toEqual([])
  },
)

/** A request of a machine, whose variables are those of this process from now on. */
function sentFrom({ env = {}, headers = {}, query, body }: Machine): Sent {
  vi.unstubAllEnvs()
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  const url = `https://llm.acme.io/v1/chat/completions${query === undefined ? '' : `?${query}`}`
  return { method: 'POST', url, headers, body: JSON.stringify(body), env }
}
