import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RequestSorter } from '../../../../src/transports/intercept/connection/sort-requests.ts'

const place = { host: 'app.example.com', port: 80, isSecure: false }

const isOurs: ConstructorParameters<typeof RequestSorter>[1] = (event) =>
  event.kind === 'request' && new URL(event.url).pathname.startsWith('/v1/')

const request = (path: string, body: string, isChunked: boolean): string =>
  isChunked
    ? `POST ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${body && `${body.length.toString(16)}\r\n${body}\r\n`}0\r\n\r\n`
    : `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`

/** Sorts bytes that come in pieces, until some are ours. */
function sortAll(pieces: readonly Buffer[]): { passed: string; ours: string } {
  const sorter = new RequestSorter(place, isOurs)
  const [passed, ours]: [Buffer[], Buffer[]] = [[], []]
  for (const piece of pieces) {
    if (ours.length > 0) ours.push(piece)
    else {
      const sorted = sorter.sort(piece)
      passed.push(sorted.passes)
      if (sorted.ours) ours.push(sorted.ours)
    }
  }
  return { passed: Buffer.concat(passed).toString(), ours: Buffer.concat(ours).toString() }
}

function cut(bytes: Buffer, at: readonly number[]): Buffer[] {
  const places = [...new Set(at.map((one) => one % (bytes.length + 1)))].toSorted((a, b) => a - b)
  return [...places, bytes.length].map((end, index) => bytes.subarray(places[index - 1] ?? 0, end))
}

const body = fc.string({
  unit: fc.constantFrom('a', '\r', '\n', ' ', 'POST /v1/ HTTP/1.1\r\n\r\n'),
})

test('however its bytes are cut, a request of ours is told from those before it, and no byte is lost', () => {
  const others = fc.array(fc.tuple(body, fc.boolean()), { maxLength: 4 })
  fc.assert(
    fc.property(
      others,
      body,
      fc.boolean(),
      fc.array(fc.nat(), { maxLength: 40 }),
      (before, last, isChunked, at) => {
        const passing = before.map(([text, chunked]) => request('/chat', text, chunked)).join('')
        const whole = passing + request('/v1/chat', last, isChunked)
        const { passed, ours } = sortAll(cut(Buffer.from(whole), at))
        expect(passed + ours).toBe(whole)
        // What was not sent yet may come with it; never a part of it before.
        expect(passing.startsWith(passed)).toBe(true)
      },
    ),
  )
})

test('byte by byte, nothing of a request of ours passes', () => {
  const whole = request('/chat', 'abc', false) + request('/v1/chat', '{}', false)
  const { passed, ours } = sortAll(cut(Buffer.from(whole), [...Array(whole.length).keys()]))
  expect(passed).toBe(request('/chat', 'abc', false))
  expect(ours).toBe(request('/v1/chat', '{}', false))
})

test.for<[what: string, bytes: Buffer]>([
  ['a database', Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])],
  ['redis', Buffer.from('*1\r\n$4\r\nPING\r\n')],
  ['a greeting', Buffer.from('EHLO me\r\n')],
  ['TLS', Buffer.from([22, 3, 1, 0, 5, 1, 2, 3, 4, 5])],
  ['HTTP/2', Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')],
  ['a word that never ends', Buffer.from('A'.repeat(40))],
])('the bytes of another protocol pass: %s', ([, bytes]) => {
  expect(sortAll([bytes]).passed).toBe(bytes.toString())
  const single = sortAll(cut(bytes, [...Array(bytes.length).keys()]))
  expect(single.passed).toBe(bytes.toString())
})
