import type { AddressInfo, Server } from 'node:net'
import { builtin } from '../../../real/builtin.ts'
import { shared } from '../../../real/shared.ts'

/** Every server of Node begins to listen by this method, which Node keeps for those who wrap it. */
interface Listening extends Server {
  _listen2?(...args: unknown[]): void
}

/** The ports at which servers of this thread have listened. */
export const noted: { ports?: number[] } = shared('own-ports')

/**
 * Notes the ports at which servers of this thread listen. A port stays noted when its server closes: a test can be about
 * a server that is gone. Returns a function that ends this.
 */
export function noteListening(): () => void {
  const { prototype } = builtin('node:net').Server as { prototype: Listening }
  const listen = prototype._listen2
  if (!listen) return () => {}
  const noting = function (this: Listening, ...args: unknown[]): void {
    listen.apply(this, args)
    const { port } = (this.address() ?? {}) as Partial<AddressInfo>
    if (port !== undefined) (noted.ports ??= []).push(port)
  }
  prototype._listen2 = noting
  return () => {
    if (prototype._listen2 === noting) prototype._listen2 = listen
  }
}
