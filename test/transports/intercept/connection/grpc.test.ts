import dns from 'node:dns'
import { promisify } from 'node:util'
import {
  credentials,
  type Client,
  makeGenericClientConstructor,
  type ServiceError,
} from '@grpc/grpc-js'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CERTAIN, openConnections } from './open-connections.ts'

const text = {
  serialize: (value: string) => Buffer.from(value),
  deserialize: (bytes: Buffer) => bytes.toString(),
}

const GRPC = { 'content-type': 'application/grpc+proto' }

let asked: string[]
let answer: (message: string) => Response
let end: () => void
const clients: Client[] = []

beforeEach(() => {
  asked = []
  end = openConnections(async (request) => {
    const body = Buffer.from(await request.arrayBuffer())
    asked.push(`${request.method} ${request.url}`)
    return answer(body.subarray(5).toString())
  })
})

afterEach(() => {
  for (const client of clients.splice(0)) client.close()
  end()
})

/** A message as it is written: its length, and before that whether it is compressed. */
function framed(message: string): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(5)
  head.writeUInt32BE(Buffer.byteLength(message), 1)
  return new Uint8Array(Buffer.concat([head, Buffer.from(message)]))
}

function makeClient(isSecure: boolean): Client {
  const Generic = makeGenericClientConstructor({}, 'Prediction')
  const client = new Generic(
    `${CERTAIN}:${isSecure ? 443 : 80}`,
    isSecure ? credentials.createSsl() : credentials.createInsecure(),
  )
  clients.push(client)
  return client
}

function ask(client: Client, question: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const done = (error: ServiceError | null, value?: string): void =>
      error ? reject(error) : resolve(value!)
    const { serialize, deserialize } = text
    const options = { deadline: Date.now() + 5_000 }
    client.makeUnaryRequest('/Prediction/Predict', serialize, deserialize, question, options, done)
  })
}

test.for([true, false])(
  'a call of gRPC is answered, and no name is looked up (with TLS: %s)',
  async (isSecure) => {
    answer = (message) => new Response(framed(`answer to ${message}`), { headers: GRPC })
    const client = makeClient(isSecure)
    expect(await ask(client, 'one')).toBe('answer to one')
    expect(await ask(client, 'two')).toBe('answer to two')
    const url = `${isSecure ? 'https' : 'http'}://${CERTAIN}/Prediction/Predict`
    expect(asked).toEqual([`POST ${url}`, `POST ${url}`])
  },
)

test('a call of gRPC that fails has the status and the message of its answer', async () => {
  const headers = { ...GRPC, 'grpc-status': '5', 'grpc-message': 'no such model' }
  answer = () => new Response(null, { headers })
  await expect(ask(makeClient(true), 'one')).rejects.toMatchObject({
    code: 5,
    details: 'no such model',
  })
})

test('the messages of a stream come one after the other', async () => {
  answer = () =>
    new Response(new Uint8Array([...framed('one'), ...framed('two')]), { headers: GRPC })
  const heard: string[] = []
  const stream = makeClient(true).makeServerStreamRequest(
    '/Prediction/Stream',
    text.serialize,
    text.deserialize,
    'count',
  )
  for await (const message of stream) heard.push(message as string)
  expect(heard).toEqual(['one', 'two'])
})

test('each way to look up a host that is certain gives an address that leads nowhere, and one host one address', async () => {
  const found = await dns.promises.lookup(CERTAIN)
  expect(found).toEqual({ address: expect.stringMatching(/^198\.18\./), family: 4 })
  const { address } = found
  const { promises } = dns
  const resolver = new promises.Resolver()
  expect(await promises.lookup(CERTAIN, { all: true })).toEqual([found])
  expect(await promises.lookup(CERTAIN, 6)).toEqual({ address: `::ffff:${address}`, family: 6 })
  expect(await promises.resolve4(CERTAIN)).toEqual([address])
  expect(await resolver.resolve4(CERTAIN, { ttl: true })).toEqual([{ address, ttl: 60 }])
  expect(await promises.resolve(CERTAIN)).toEqual([address])
  expect(await promises.resolve(CERTAIN, 'TXT')).toEqual([])
  expect(await resolver.resolve6(CERTAIN)).toEqual([])
  expect(await promises.resolveTxt(CERTAIN)).toEqual([])
  const byCallback = await new Promise((resolve, reject) =>
    dns.lookup(CERTAIN, (error, one, family) => (error ? reject(error) : resolve([one, family]))),
  )
  expect(byCallback).toEqual([address, 4])
  const all = await new Promise((resolve, reject) =>
    new dns.Resolver().resolve4(CERTAIN, (error, all) => (error ? reject(error) : resolve(all))),
  )
  expect(all).toEqual([address])
})

test('names of this machine, addresses and other hosts are looked up', async () => {
  expect((await dns.promises.lookup('localhost', 4)).address).toBe('127.0.0.1')
  expect((await dns.promises.lookup('127.0.0.1')).address).toBe('127.0.0.1')
})

test('a look-up can be made one of promises, as Node says of it by a symbol', async () => {
  expect(await promisify(dns.lookup)('127.0.0.1')).toEqual({ address: '127.0.0.1', family: 4 })
})
