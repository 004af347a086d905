import { calcPrice, findProvider } from '@pydantic/genai-prices'
import { expect, test } from 'vitest'
import { costOf, PriceTable, PRICES } from '../../../src/conversation/cost.ts'

const timestamp = new Date(`${PRICES.date}T12:00:00Z`)

test.for(['openai', 'anthropic', 'google', 'mistral', 'cohere', 'x-ai', 'deepseek'])(
  'an answer of a model of %s costs what the package says',
  (providerId) => {
    const provider = findProvider({ providerId })!
    const usage = {
      inputTokens: 9_000,
      cacheReadInputTokens: 4_000,
      cacheCreationInputTokens: 1_000,
      outputTokens: 700,
    }
    const priced = provider.models.flatMap(({ id }) => {
      const tokens = {
        input_tokens: 9_000,
        cache_read_tokens: 4_000,
        cache_write_tokens: 1_000,
        output_tokens: 700,
      }
      const known = calcPrice(tokens, id, { provider, timestamp })
      const isByToken = known?.model_price.input_mtok !== undefined && /\w$/.test(id)
      return isByToken ? [[id, known.total_price] as const] : []
    })
    expect(priced.length).toBeGreaterThan(5)
    const table = new PriceTable()
    for (const [id, cost] of priced) expect(costOf(id, usage, table), id).toBeCloseTo(cost, 9)
  },
)
