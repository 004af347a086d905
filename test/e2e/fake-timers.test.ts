import { expect, test } from 'vitest'
import { recordAndReplay } from './record-and-replay.ts'

test('in every environment no call waits for a connection that was used before timers were faked', async () => {
  const { recording, replay } = await recordAndReplay('fake-timers')
  expect(recording.exitCode, recording.output).toBe(0)
  // Nothing was sent unrecorded, which a warning would say.
  expect(recording.output).not.toContain('[vitest-cassette]')
  expect(replay.exitCode, replay.output).toBe(0)
  expect(replay.output).toContain('44 passed')
})
