import {
  credentials,
  makeGenericClientConstructor,
  Server,
  ServerCredentials,
  type ServiceDefinition,
} from '@grpc/grpc-js'
import { afterAll, beforeAll, expect, test } from 'vitest'

const text = {
  serialize: (value: string) => Buffer.from(value),
  deserialize: (bytes: Buffer) => bytes.toString(),
}
const service = {
  echo: {
    path: '/Echo/echo',
    requestStream: false,
    responseStream: false,
    requestSerialize: text.serialize,
    requestDeserialize: text.deserialize,
    responseSerialize: text.serialize,
    responseDeserialize: text.deserialize,
  },
} satisfies ServiceDefinition

const server = new Server()
let port: number
beforeAll(async () => {
  server.addService(service, { echo: (call: any, done: any) => done(null, `echo ${call.request}`) })
  port = await new Promise((resolve, reject) => {
    const done = (error: Error | null, bound: number) => (error ? reject(error) : resolve(bound))
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), done)
  })
})
afterAll(() => server.forceShutdown())

test('speaks gRPC to a server that is no provider', async () => {
  const Client = makeGenericClientConstructor(service, 'Echo')
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure())
  const answer = await new Promise((resolve, reject) => {
    client.echo!('hello', (error: Error | null, value: string) =>
      error ? reject(error) : resolve(value),
    )
  })
  client.close()
  expect(answer).toBe('echo hello')
})
