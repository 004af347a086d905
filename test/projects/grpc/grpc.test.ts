import { type Client, credentials, makeGenericClientConstructor } from '@grpc/grpc-js'
import { afterAll, expect, test } from 'vitest'
import { service } from './service.ts'

const Model = makeGenericClientConstructor(service, 'Model')
const client = new Model(process.env.GRPC_HOST!, credentials.createInsecure()) as Client &
  Record<'ask' | 'stream', any>
const word = process.env.WORD ?? 'world'

afterAll(() => client.close())

function ask(question: string): Promise<string> {
  return new Promise((resolve, reject) => {
    client.ask(question, (error: Error | null, answer: string) =>
      error ? reject(error) : resolve(answer),
    )
  })
}

test('asks', async () => {
  expect(await ask(`hello ${word}`)).toBe(`answer to hello ${word}`)
  expect(await ask('again')).toBe('answer to again')
})

test('streams', async () => {
  const words: string[] = []
  for await (const one of client.stream('one two three')) words.push(one)
  expect(words).toEqual(['one', 'two', 'three'])
})

test('fails as its model does', async () => {
  await expect(ask('fail')).rejects.toMatchObject({ code: 5, details: 'no such model' })
})
