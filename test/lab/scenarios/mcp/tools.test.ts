// Agents that ask a model, and tools of MCP servers in between.
import { CreateMessageRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { expect, test } from 'vitest'
import { ask } from '../ask.ts'
import { call, connect, SKY } from './clients.ts'

const { CITY = 'Bern', WORD, MORE } = process.env

for (const transport of ['stdio', 'http']) {
  test(`a model and a tool over ${transport}`, async () => {
    const client = await connect(transport)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('get_forecast')
    expect(await ask('Which city?')).toBe('Odd: Which city?')
    const forecast = await call(client, 'get_forecast', { city: CITY })
    expect(forecast).toBe(`${CITY}: ${SKY}\nWind from the west.`)
    expect(await ask(forecast)).toBe(`Odd: ${forecast}`)
    await client.close()
  })

  test(`calls at the same time over ${transport}`, async () => {
    const client = await connect(transport)
    const cities = ['Rome', 'Oslo', 'Lima', 'Rome']
    const found = await Promise.all(cities.map((city) => call(client, 'get_forecast', { city })))
    expect(found).toEqual(cities.map((city) => `${city}: ${SKY}\nWind from the west.`))
    await client.close()
  })

  test(`errors over ${transport}`, async () => {
    const client = await connect(transport)
    const failed = await client.callTool({ name: 'fail' })
    expect(failed).toMatchObject({ isError: true, content: [{ text: 'the sky has fallen' }] })
    await expect(client.readResource({ uri: 'sky://never' })).rejects.toThrow('not found')
    const { contents } = await client.readResource({ uri: 'sky://now' })
    expect(contents).toEqual([{ uri: 'sky://now', text: `${SKY}\n` }])
    await client.ping()
    await client.close()
  })

  test(`progress over ${transport}`, async () => {
    const client = await connect(transport)
    const told: number[] = []
    const onprogress = ({ progress }: { progress: number }): void => void told.push(progress)
    await client.callTool({ name: 'count' }, undefined, { onprogress })
    expect(told).toEqual([1, 2, 3])
    await client.close()
  })

  test(`a server that asks the model of its client over ${transport}`, async () => {
    const client = await connect(transport, 'weather', { sampling: {} })
    client.setRequestHandler(CreateMessageRequestSchema, async ({ params }) => {
      const [message] = params.messages as Array<{ content: { text: string } }>
      const text = WORD ?? (await ask(message!.content.text))
      return { model: 'gpt-5', role: 'assistant', content: { type: 'text', text } }
    })
    expect(await call(client, 'ask_model', { question: 'Why?' })).toBe('The model says: Odd: Why?')
    await client.close()
  })

  test(`a call that is given up over ${transport}`, async () => {
    const client = await connect(transport)
    const stop = new AbortController()
    const asked = client.callTool({ name: 'sleep' }, undefined, { signal: stop.signal })
    setTimeout(() => stop.abort(), 100)
    await expect(asked).rejects.toThrow('abort')
    expect(await call(client, 'get_forecast', { city: 'Rome' })).toContain('Rome')
    await client.close()
  })
}

test('a secret of the server', async () => {
  const client = await connect('stdio')
  expect(await call(client, 'leak')).toContain('The key is ')
  await client.close()
})

test('two servers, one of which counts', async () => {
  const [weather, counter] = await Promise.all([connect('stdio'), connect('stdio', 'counter')])
  expect(await call(counter, 'more')).toBe('1')
  expect(await call(weather, 'get_forecast', { city: 'Rome' })).toContain('Rome')
  expect(await call(counter, 'more')).toBe('2')
  // Its server is started then, and has counted nothing.
  if (MORE) expect(await call(counter, 'more', { than: 2 })).toBe('1')
  await Promise.all([weather.close(), counter.close()])
})
