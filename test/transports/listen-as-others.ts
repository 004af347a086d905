import { onTestFinished, vi } from 'vitest'
import * as ownServers from '../../src/transports/intercept/context/own-servers.ts'

/**
 * Until the test ends, the servers of this process are those of others, as a local provider is: what a test asks at a
 * server of its own is about that server, and not about a model.
 */
export function listenAsOthers(): void {
  const spy = vi.spyOn(ownServers, 'isOwnServer').mockReturnValue(false)
  onTestFinished(() => spy.mockRestore())
}
