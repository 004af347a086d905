/**
 * A fact that the bytes on a connection tell: the host that the client wants to reach, or the request that it sends.
 */
export type WireEvent =
  /** The client asks a proxy for a tunnel to a host. */
  | { kind: 'way'; host: string; port: number; by: 'HTTP' | 'SOCKS'; at: number }
  /** The client sends a request to a host. */
  | {
      kind: 'request'
      host: string
      port: number
      url: string
      /** Set where the connection leads to the server of the request, and not to a proxy. */
      isNamed: boolean
      headers: ReadonlyMap<string, string>
      /** How many bytes of the connection come before it. */
      at: number
      request: { method: string; url: string; headers: ReadonlyMap<string, string> }
    }

/** Where a connection leads to. */
export interface Destination {
  host: string
  port: number
  isSecure: boolean
}

/** In bytes. Servers refuse longer heads. */
const HEAD_BYTES = 65_536

/** What may go on as the first line of a request. */
const LINE_SO_FAR =
  /^(?:\r|[A-Z]{1,20}(?: (?:\S+(?: (?:H(?:T(?:T(?:P(?:\/(?:1(?:\.(?:[01]\r?)?)?)?)?)?)?)?)?)?)?)?)$/i

const REQUEST_LINE = /^([a-z]{1,20}) (\S+) http\/1\.[01]$/i

/**
 * Reads the bytes that a client writes, in pieces of any size: requests one after the other, and before them those to
 * proxies. At the first bytes of another protocol it stops reading.
 */
export class WireReader {
  /**
   * True while the bytes of the last request have to be held back: the end of its head decides whether they may be sent.
   */
  isHolding: boolean = false
  /** True where a request has ended, and the next has not begun. */
  isBetween: boolean = true
  /** True once the reader has stopped. */
  isDone: boolean = false
  readonly #place: Destination
  readonly #holdsLines: boolean
  readonly #reading: Generator<WireEvent | undefined, void, void>
  #parts: Buffer[] = []
  #length = 0
  #consumed = 0
  #requestAt = 0

  /** @param holdsLines whether a request is held back from its first byte, and not only from the end of its first line */
  constructor(place: Destination, holdsLines: boolean = false) {
    this.#place = place
    this.#holdsLines = holdsLines
    this.#reading = this.#readAll()
  }

  /** How many bytes of the connection come before the last request. */
  get requestAt(): number {
    return this.#requestAt
  }

  /** Reads the next bytes of the connection. */
  *read(bytes: Uint8Array): Generator<WireEvent> {
    if (this.isDone) return
    this.#parts.push(Buffer.from(bytes))
    this.#length += bytes.length
    for (;;) {
      const { done, value } = this.#reading.next()
      if (done) {
        this.isDone = true
        this.isHolding = false
        this.#parts = []
      }
      if (!value) return
      yield value
    }
  }

  *#readAll(): Reading {
    for (;;) {
      this.isBetween = this.#length === 0
      const first = (yield* this.#peek())!
      this.isBetween = false
      this.#requestAt = this.#consumed
      if (first === 4 || first === 5) {
        const way = yield* first === 5 ? this.#readSocks5() : this.#readSocks4()
        if (!way) return
        yield way
      } else if (!(yield* this.#readRequest())) return
    }
  }

  *#readSocks5(): Reading<WireEvent | undefined> {
    const [, methods] = yield* this.#take(2)
    yield* this.#take(methods!)
    if ((yield* this.#peek()) === 1) {
      const [, user] = yield* this.#take(2)
      const password = (yield* this.#take(user! + 1)).at(-1)
      yield* this.#take(password!)
    }
    const [version, , , kind] = yield* this.#take(4)
    const length = { 1: 4, 3: (yield* this.#peek())!, 4: 16 }[kind!]
    if (version !== 5 || !length) return undefined
    const bytes =
      kind === 3 ? (yield* this.#take(length + 1)).subarray(1) : yield* this.#take(length)
    return {
      kind: 'way',
      host: nameOf(bytes, kind!),
      port: portOf(yield* this.#take(2)),
      by: 'SOCKS',
      at: this.#requestAt,
    }
  }

  *#readSocks4(): Reading<WireEvent | undefined> {
    const head = yield* this.#take(8)
    const address = head.subarray(4)
    yield* this.#takeUntil(0)
    // SOCKS4a: an address of 0.0.0.x says that a name follows.
    const isNamed = address.readUInt32BE() < 256
    const name = isNamed ? (yield* this.#takeUntil(0)).subarray(0, -1) : address
    return {
      kind: 'way',
      host: nameOf(name, isNamed ? 3 : 1),
      port: portOf(head.subarray(2)),
      by: 'SOCKS',
      at: this.#requestAt,
    }
  }

  /** False where no further request can follow. */
  *#readRequest(): Reading<boolean> {
    const first = this.#holdsLines ? yield* this.#takeFirstLine() : yield* this.#takeLine()
    if (first === '') return true
    const [, method = '', target = ''] = REQUEST_LINE.exec(first) ?? []
    if (!method) return false
    this.isHolding = true
    const headers = yield* this.#readHeaders()
    if (method.toUpperCase() === 'CONNECT') {
      const { host, port } = placeOf(target, 443)
      yield { kind: 'way', host, port, by: 'HTTP', at: this.#requestAt }
      this.isHolding = false
      return true
    }
    const url = this.#urlOf(target, headers)
    if (!url) return false
    const usual = this.#place.isSecure || url.protocol === 'https:' ? 443 : 80
    const isNamed = target.startsWith('/') || target === '*'
    const request = { method: method.toUpperCase(), url: url.href, headers }
    // To a proxy the target names the host, and the header may name another.
    for (const named of new Set([url.host, (headers.get('host') ?? '').toLowerCase()]))
      if (named)
        yield {
          kind: 'request',
          ...placeOf(named, usual),
          url: url.href,
          isNamed,
          headers,
          at: this.#requestAt,
          request,
        }
    this.isHolding = false
    yield* this.#readBody(headers)
    return !/websocket/i.test(headers.get('upgrade') ?? '')
  }

  *#readHeaders(): Reading<Map<string, string>> {
    const headers = new Map<string, string>()
    for (;;) {
      const line = yield* this.#takeLine()
      if (line === '') return headers
      const at = line.indexOf(':')
      const name = line.slice(0, at).trim().toLowerCase()
      if (!headers.has(name)) headers.set(name, line.slice(at + 1).trim())
    }
  }

  *#readBody(headers: Map<string, string>): Reading {
    const isChunked = /chunked/i.test(headers.get('transfer-encoding') ?? '')
    let left = isChunked ? yield* this.#chunkLength() : Number(headers.get('content-length') ?? 0)
    while (left > 0) {
      yield* this.#peek()
      left -= this.#cut(Math.min(left, this.#length)).length
      if (left > 0 || !isChunked) continue
      yield* this.#takeLine()
      left = yield* this.#chunkLength()
    }
    // Trailers end with an empty line, as headers do.
    if (isChunked) yield* this.#readHeaders()
  }

  *#chunkLength(): Reading<number> {
    return Number.parseInt(yield* this.#takeLine(), 16) || 0
  }

  #urlOf(target: string, headers: Map<string, string>): URL | undefined {
    const { host, port, isSecure } = this.#place
    const own = `${/^[^[].*:/.test(host) ? `[${host}]` : host}:${port}`
    const base = `${isSecure ? 'https' : 'http'}://${headers.get('host') || own}`
    const address = /^https?:\/\//i.test(target) ? target : base + target
    return URL.canParse(address) ? new URL(address) : undefined
  }

  *#peek(): Reading<number | undefined> {
    while (this.#length === 0) yield
    return this.#parts.find((part) => part.length > 0)![0]
  }

  *#take(length: number): Reading<Buffer> {
    while (this.#length < length) yield
    return this.#cut(length)
  }

  /** The first line of a request; the bytes that may become one are held back. */
  *#takeFirstLine(): Reading<string> {
    for (;;) {
      const bytes = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts)
      this.#parts = [bytes]
      this.isHolding = false
      if (bytes.includes(10)) return yield* this.#takeLine()
      const line = bytes.toString('latin1')
      if (bytes.length > HEAD_BYTES || !LINE_SO_FAR.test(line)) return line
      this.isHolding = true
      yield
    }
  }

  /** A line without its line break. Bytes without a line break within the longest head are another protocol. */
  *#takeLine(): Reading<string> {
    return (yield* this.#takeUntil(10)).toString('latin1').replace(/\r?\n$/, '')
  }

  *#takeUntil(byte: number): Reading<Buffer> {
    for (let seen = 0, before = 0; ; seen++) {
      while (seen >= this.#parts.length) {
        if (this.#length > HEAD_BYTES) return this.#cut(this.#length)
        yield
      }
      const at = this.#parts[seen]!.indexOf(byte)
      if (at >= 0) return this.#cut(before + at + 1)
      before += this.#parts[seen]!.length
    }
  }

  #cut(length: number): Buffer {
    const all = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts)
    this.#parts = length < all.length ? [all.subarray(length)] : []
    this.#length -= length
    this.#consumed += length
    return all.subarray(0, length)
  }
}

/** Yields `undefined` when it needs more bytes. */
type Reading<Result = void> = Generator<WireEvent | undefined, Result, void>

function nameOf(bytes: Buffer, kind: number): string {
  if (kind === 1) return bytes.join('.')
  return kind === 3 ? bytes.toString('latin1') : bytes.toString('hex').match(/.{4}/g)!.join(':')
}

function portOf(bytes: Buffer): number {
  return bytes.readUInt16BE()
}

function placeOf(authority: string, usualPort: number): { host: string; port: number } {
  const [, host, port] = /^(?:[^@]*@)?(.*?)(?::(\d+))?$/.exec(authority)!
  return { host: host!.replace(/^\[(.*)\]$/, '$1'), port: Number(port ?? usualPort) }
}

/** What a socket gets to write, as one piece. */
export function bytesOf(isMany: boolean, data: unknown, encoding: unknown): Buffer {
  const chunks = isMany
    ? (data as Array<{ chunk: unknown; encoding: unknown }>)
    : [{ chunk: data, encoding }]
  const all = chunks.map(({ chunk, encoding }) =>
    typeof chunk === 'string'
      ? Buffer.from(chunk, encoding as BufferEncoding)
      : Buffer.from(chunk as Uint8Array),
  )
  return all.length === 1 ? all[0]! : Buffer.concat(all)
}
