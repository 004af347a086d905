import { expect, test } from 'vitest'
import { recordAndReplay } from './record-and-replay.ts'

test('in every environment no call waits for a connection that was used before timers were faked', async () => {
  const { recording, replay } = await recordAndReplay('fake-timers')
  expect(recording.exitCode, recording.output).toBe(0)
  expect(recording.output).not.toContain('was sent and not recorded')
  expect(replay.exitCode, replay.output).toBe(0)
  expect(replay.output).toContain('44 passed')
})
