import Anthropic, { toFile } from '@anthropic-ai/sdk'
import { CohereClient } from 'cohere-ai'
import { createHash } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import OpenAI from 'openai'
import { expect, test } from 'vitest'

const { PORT, RESULTS } = process.env

const options = { apiKey: 'sk-none', maxRetries: 0 }
const openai = new OpenAI({ ...options, baseURL: `http://api.openai.com:${PORT}/v1` })
const cohere = new CohereClient({ token: 'none', environment: `http://api.cohere.com:${PORT}` })
const anthropic = new Anthropic({ ...options, baseURL: `http://api.anthropic.com:${PORT}` })

/** What is asked of the SDKs beside answers of models. */
const operations: Record<string, () => Promise<unknown>> = {
  async conversations() {
    const { id } = await openai.conversations.create({ metadata: { topic: 'lamps' } })
    const items = [{ type: 'message' as const, role: 'user' as const, content: 'Hello' }]
    const added = await openai.conversations.items.create(id, { items })
    return [
      id,
      added,
      await openai.conversations.retrieve(id),
      await openai.conversations.delete(id),
    ]
  },
  async 'vector stores'() {
    const { id } = await openai.vectorStores.create({ name: 'lamps' })
    const file = await openai.vectorStores.files.create(id, { file_id: 'file-1' })
    const found = await openai.vectorStores.search(id, { query: 'Which lamp?' })
    return [file, found.data, await openai.vectorStores.delete(id)]
  },
  async containers() {
    const { id } = await openai.containers.create({ name: 'lamps' })
    const file = await openai.containers.files.create(id, { file: await toFile(large, 'a.png') })
    const content = await openai.containers.files.content.retrieve(file.id, { container_id: id })
    return hashOf(content)
  },
  async speech() {
    return hashOf(
      await openai.audio.speech.create({ model: 'tts-1', voice: 'alloy', input: 'A lamp' }),
    )
  },
  async video() {
    const { id } = await openai.videos.create({ model: 'sora-2', prompt: 'A lamp' })
    return hashOf(await openai.videos.downloadContent(id))
  },
  async files() {
    const { id } = await openai.files.create({
      purpose: 'user_data',
      file: await toFile(large, 'a.png'),
    })
    return hashOf(await openai.files.content(id))
  },
  async 'a local gateway'() {
    const { choices } = await gateway.chat.completions.create({
      model: 'gpt-5',
      messages: [{ role: 'user', content: 'Hello' }],
    })
    const models = await gateway.models.list()
    const { id } = await gateway.files.create({
      purpose: 'user_data',
      file: await toFile(large, 'a.png'),
    })
    return [choices, models.data, await hashOf(await gateway.files.content(id))]
  },
  async 'the first chat of Cohere'() {
    const asked = { model: 'command-r', preamble: 'Be short.', message: 'Is it dry?' }
    const streamed: unknown[] = []
    for await (const event of await cohere.chatStream(asked)) streamed.push(event)
    return [await cohere.chat(asked), streamed]
  },
  async 'providers that speak the format of OpenAI'() {
    const addresses = [
      'api.x.ai/v1',
      'api.deepseek.com/v1',
      'api.perplexity.ai',
      'api.fireworks.ai/v1',
    ]
    const messages = [{ role: 'user' as const, content: 'Hello' }]
    const asked = addresses.map((address) => {
      const baseURL = `http://${address.replace(/^[^/]+/, `$&:${PORT}`)}`
      return new OpenAI({ ...options, baseURL }).chat.completions.create({ model: 'm', messages })
    })
    return (await Promise.all(asked)).map(({ choices }) => choices)
  },
  async skills() {
    const { id } = await openai.skills.create({ files: [await toFile(large, 'a.zip')] })
    return [await openai.skills.retrieve(id), await openai.skills.delete(id)]
  },
  async 'managed sessions of Anthropic'() {
    const { id: agent } = await anthropic.beta.agents.create({
      model: 'claude-sonnet-4-5',
      name: 'Clerk',
    })
    const { id } = await anthropic.beta.sessions.create({ agent, environment_id: 'env_1' })
    return [await anthropic.beta.sessions.retrieve(id), await anthropic.beta.sessions.delete(id)]
  },
  async 'files of Anthropic'() {
    const { id } = await anthropic.beta.files.upload({ file: await toFile(large, 'a.png') })
    return hashOf(await anthropic.beta.files.download(id))
  },
}

/** On no provider's host: an LLM call tells that one is a gateway. */
const gateway = new OpenAI({ ...options, baseURL: `http://127.0.0.1:${PORT}/v1` })

const large = Buffer.from(Array.from({ length: 5_000 }, (_, at) => (at * 31) % 256))

async function hashOf(response: Response): Promise<string> {
  const bytes = Buffer.from(await response.arrayBuffer())
  expect(bytes.length).toBeGreaterThan(4_096)
  return createHash('sha256').update(bytes).digest('hex')
}

test.each(Object.entries(operations))('%s', async (name, perform) => {
  appendFileSync(`${RESULTS}.sdk`, `${JSON.stringify([name, await perform()])}\n`)
})
