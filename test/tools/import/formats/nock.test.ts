import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { writeFrame } from '../../../../src/wire/amazon-frames.ts'
import { expectGolden } from '../../../golden.ts'
import { foreignFolder, readOne, received, sent } from '../foreign-folder.ts'
import { leftOutAs } from '../left-out.ts'
import { headOf } from '../reasons.ts'
import { ASKED, CHAT, SAID } from '../samples.ts'

const RECORDED = {
  scope: 'https://api.openai.com:443',
  method: 'POST',
  path: '/v1/chat/completions',
  body: ASKED,
  status: 200,
  response: SAID,
  rawHeaders: ['Content-Type', 'application/json', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'],
  responseIsBinary: false,
}

test('a recorded object is an exchange, whose JSON is spelled anew', () => {
  const [exchange] = readOne([RECORDED]).exchanges
  expect(exchange).toMatchObject({
    request: { method: 'POST', url: CHAT, isRespelled: true },
    response: {
      status: 200,
      headers: [
        ['Content-Type', 'application/json'],
        ['Set-Cookie', 'a=1'],
        ['Set-Cookie', 'b=2'],
      ],
    },
  })
  expect(exchange!.request.headers).toBeUndefined()
  expect([sent(exchange!), received(exchange!)]).toEqual([
    JSON.stringify(ASKED),
    JSON.stringify(SAID),
  ])
})

test('digits of a number that a double would change stay', () => {
  const text = JSON.stringify([RECORDED]).replace('"Hello?"', '12345678901234567890')
  expect(sent(readOne(text).exchanges[0]!)).toContain('12345678901234567890')
})

test('the path stays as it is spelled, and a port that is not the usual one stays', () => {
  const path = '/model/a%3A0/invoke?b=%20c'
  const urlOf = (scope: string): string | undefined =>
    readOne([{ ...RECORDED, scope, path }]).exchanges[0]!.request.url
  expect(urlOf('https://a.example:443')).toBe(`https://a.example${path}`)
  expect(urlOf('http://127.0.0.1:8080')).toBe(`http://127.0.0.1:8080${path}`)
})

test('headers of an answer can be an object, also with lists', () => {
  const rawHeaders = { 'content-type': 'text/plain', 'set-cookie': ['a=1', 'b=2'] }
  const [exchange] = readOne([{ ...RECORDED, rawHeaders }]).exchanges
  expect(exchange!.response.headers).toEqual([
    ['content-type', 'text/plain'],
    ['set-cookie', 'a=1'],
    ['set-cookie', 'b=2'],
  ])
})

test('an answer in hexadecimal digits is bytes', () => {
  const frame = writeFrame({ event: 'messageStart', data: { role: 'assistant' } })
  const response = Buffer.concat([frame, frame]).toString('hex')
  const [exchange] = readOne([{ ...RECORDED, response, responseIsBinary: true }]).exchanges
  expect(exchange!.response.body).toEqual([frame, frame])
})

test('a list of hexadecimal chunks is a packed answer, though it is not said to be binary', () => {
  const packed = gzipSync('{"a":1}').toString('hex')
  const response = [packed.slice(0, 10), packed.slice(10)]
  expect(received(readOne([{ ...RECORDED, response }]).exchanges[0]!)).toBe('{"a":1}')
})

test('a list that is JSON stays JSON, and so does null', () => {
  for (const response of [['not hexadecimal'], [1, 2], [], null])
    expect(received(readOne([{ ...RECORDED, response }]).exchanges[0]!)).toBe(
      JSON.stringify(response),
    )
})

test('a request in digits is bytes if they are no text', () => {
  const bytes = Buffer.from([0xff, 0xd8, 0xff, 0xe0])
  const [one] = readOne([{ ...RECORDED, body: bytes.toString('hex') }]).exchanges
  expect(Buffer.from(one!.request.body!)).toEqual(bytes)
  expect(sent(readOne([{ ...RECORDED, body: 'cafe' }]).exchanges[0]!)).toBe('cafe')
  expect(sent(readOne([{ ...RECORDED, body: '' }]).exchanges[0]!)).toBe('')
})

test('a request without a field for its body is one whose body is not in the file', () => {
  const { body: _, ...others } = RECORDED
  expect(readOne([others]).exchanges[0]!.request.body).toBeUndefined()
})

test('code of nock is named', () => {
  const code = "nock('https://api.openai.com:443')\n  .post('/v1/chat')\n  .reply(200, {})\n"
  expect(foreignFolder({ 'a.js': code }).read().unread).toMatchObject([
    { nearest: 'nock', reason: expect.stringContaining('output_objects: true') as string },
  ])
})

test('an error names the place', async () => {
  const reasonOf = (changed: object): string =>
    foreignFolder({ 'a.json': [{ ...RECORDED, ...changed }] }).read().unread[0]!.reason
  const wrong: Array<[changed: object, names: string[]]> = [
    [{ scope: 'nowhere' }, [' /0/scope,', '"nowhere"']],
    [{ status: 'ok' }, [' /0/status,', '"ok"']],
    [{ rawHeaders: ['a'] }, [' /0/rawHeaders,']],
    [{ response: 'xyz', responseIsBinary: true }, [' /0/response,', '"xyz"']],
  ]
  const told = wrong.map(([changed, names]) => {
    const reason = reasonOf(changed)
    for (const name of names) expect(reason).toContain(name)
    return `${JSON.stringify(changed)}\n${headOf(reason)}`
  })
  await expectGolden(told.join('\n\n'), 'places-of-errors')
})

test('an answer of data without headers is JSON, as nock says itself', () => {
  const typeOf = (response: unknown): unknown =>
    readOne([{ ...RECORDED, response, rawHeaders: undefined }]).exchanges[0]!.response.headers
  expect(typeOf(SAID)).toEqual([['content-type', 'application/json']])
  expect(typeOf('a text')).toEqual([])
})

test('what people write by hand is read as nock reads it', () => {
  const { status: _, ...open } = RECORDED
  const statusOf = (more: object): number =>
    readOne([{ ...open, ...more }]).exchanges[0]!.response.status
  expect([statusOf({}), statusOf({ reply: '429' }), statusOf({ status: '503' })]).toEqual([
    200, 429, 503,
  ])
  const [any] = readOne([{ ...RECORDED, body: '*', scope: 'http://a.example', port: 81 }]).exchanges
  expect([any!.request.url, sent(any!)]).toEqual([
    'http://a.example:81/v1/chat/completions',
    undefined,
  ])
  const { response: __, ...failing } = open
  const { exchanges, leftOut } = readOne([RECORDED, { ...failing, replyWithError: 'ECONNRESET' }])
  expect(exchanges).toHaveLength(1)
  expect([...leftOut.keys()]).toEqual([leftOutAs('no answer')])
})
