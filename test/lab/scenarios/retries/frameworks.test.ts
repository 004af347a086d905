import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'

/** Where the clients are installed, as seen from a run of the lab in this repository. */
const CLIENTS = new URL('../../../../../../clients/', import.meta.url)
const client = (name: string): Promise<any> =>
  import(createRequire(new URL('package.json', CLIENTS)).resolve(name))

const apiKey = 'sk-test-key-that-is-not-one'
const baseURL = `${process.env.ODD_URL}/v1`

describe.runIf(existsSync(new URL('node_modules', CLIENTS)))('frameworks', () => {
  test('AI SDK', async () => {
    const { createOpenAI } = await client('@ai-sdk/openai')
    const { generateText } = await client('ai')
    const model = createOpenAI({ apiKey, baseURL }).chat('gpt-5')
    const prompt = 'status 503 once, please'
    expect(await generateText({ model, prompt, maxRetries: 2 })).toMatchObject({
      text: `Odd: ${prompt}`,
    })
  })

  test('LangChain', async () => {
    const { ChatOpenAI } = await client('@langchain/openai')
    const configuration = { baseURL }
    const model = new ChatOpenAI({ model: 'gpt-5', apiKey, maxRetries: 2, configuration })
    const answer = await model.invoke('status 500 once, please')
    expect(answer.content).toBe('Odd: status 500 once, please')
  })
})
