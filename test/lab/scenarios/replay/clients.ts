import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'

const { UPSTREAM_URL, ODD_URL, API_KEY, USER_AGENT = 'one/1.0' } = process.env

const defaultHeaders = {
  'user-agent': USER_AGENT,
  'x-stainless-lang': USER_AGENT,
  'x-team': USER_AGENT,
}

export const openai = new OpenAI({
  apiKey: API_KEY,
  organization: `org-${API_KEY}`,
  baseURL: `${UPSTREAM_URL}/v1`,
  defaultHeaders,
})
export const anthropic = new Anthropic({ apiKey: API_KEY, baseURL: UPSTREAM_URL, defaultHeaders })

/** Clients of the server that counts cached and reasoning tokens. */
export const oddOpenai = openai.withOptions({ baseURL: `${ODD_URL}/v1` })
export const oddAnthropic = anthropic.withOptions({ baseURL: ODD_URL })

export async function collect<Item>(stream: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of stream) items.push(item)
  return items
}
