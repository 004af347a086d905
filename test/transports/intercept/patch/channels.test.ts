import { expect, test } from 'vitest'
import { CHANNELS } from '../../../../src/transports/install.ts'
import { requestListeners } from '../../../../src/transports/intercept/context/carried-context.ts'
import { idleListeners } from '../../../../src/transports/intercept/http/idle-connections.ts'

test('listeners that are made at the first message miss no channel', () => {
  const listeners = [requestListeners(() => false), idleListeners(() => false)]
  const heard = new Set(listeners.flatMap((one) => Object.keys(one)))
  expect([...CHANNELS]).toEqual([...heard].toSorted())
})
