/**
 * A request of `node:http`. With headers given as a list, or with `Expect: 100-continue`, it has written them when it
 * is created, and `setHeader` fails.
 */
export interface NodeRequest {
  method: string
  protocol: string
  host: string
  path: string
  /** Its answer, once there is one. */
  res?: object | null
  once(event: 'close', listener: () => void): unknown
  emit(event: 'continue'): unknown
  destroy(reason: Error): void
  getHeader(name: string): unknown
  setHeader(name: string, value: string): void
  /** The first line and the headers, as they are written. */
  _header?: string | null
  /** The data that waits for the connection: the headers first, where they are written. */
  outputData?: Array<{ data: unknown }>
}

/** The host that a request names in headers that are written. */
export function hostWritten({ _header: written }: NodeRequest): string | undefined {
  return /^host: *(\S+)/im.exec(written ?? '')?.[1]
}

/** Whether a request waits for the server to say `100 Continue` before it sends its body. */
export function waitsToGoOn(request: NodeRequest): boolean {
  return /^100-continue$/i.test(String(request.getHeader('expect') ?? expectWritten(request)))
}

function expectWritten({ _header: written }: NodeRequest): string | undefined {
  return /^expect: *(\S+)/im.exec(written ?? '')?.[1]
}

/** Adds a header to a request that is being created, written or not. */
export function setHeader(request: NodeRequest, name: string, value: string): void {
  const { _header: written, outputData: [first] = [] } = request
  if (typeof written !== 'string') return request.setHeader(name, value)
  const marked = written.replace(/\r\n\r\n$/, `\r\n${name}: ${value}\r\n\r\n`)
  if (first?.data === written) first.data = marked
  request._header = marked
}
