import net from 'node:net'
import type { JudgeConnection } from './guard.ts'
import { replaceOnce } from './replace-once.ts'

/** What a client asks of a proxy before it speaks to the host behind it. */
const CONNECT = /^CONNECT ([^\s/]+):(\d+) HTTP\/1/

/** A proxy's answer, which clients do not try again. */
const REFUSED =
  'HTTP/1.1 403 Refused by vitest-cassette\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'

/** Guards the tunnels of proxies, whose sockets lead to the proxy and say the host only in what is written. */
export function guardTunnels(judge: JudgeConnection): void {
  replaceOnce(net.Socket.prototype, 'write', (write) => {
    function guarded(this: net.Socket, chunk: unknown, ...rest: unknown[]): boolean {
      const [, host, port] = CONNECT.exec(headOf(chunk)) ?? []
      const error = host && judge({ host, port: Number(port), transport: 'a proxy' })
      if (!error) return Reflect.apply(write, this, [chunk, ...rest])
      const done = rest.find((argument) => typeof argument === 'function')
      if (done) process.nextTick(done)
      setImmediate(() => this.push(REFUSED))
      return true
    }
    return guarded as typeof write
  })
}

function headOf(chunk: unknown): string {
  if (typeof chunk === 'string') return chunk.slice(0, 300)
  return chunk instanceof Uint8Array && chunk[0] === 67
    ? Buffer.from(chunk.subarray(0, 300)).toString('latin1')
    : ''
}
