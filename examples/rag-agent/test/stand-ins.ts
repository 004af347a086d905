import { once } from 'node:events'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { LLMock } from '@copilotkit/aimock'

const RETURNS = /sen[dt] .*back/
const ENERGY = /energy/

/** The passages of the handbook, each with its vector. */
const HANDBOOK = [
  { vector: [1, 0, 0], text: 'Handbook, Returns: Lamps can be sent back within 30 days.' },
  { vector: [0, 1, 0], text: 'Handbook, Delivery: Delivery is free, and takes two days.' },
]

const RESULTS = [
  { title: 'Energy agency', description: 'LED lamps need 80 percent less.' },
  { title: 'Lamps of the year', description: 'Our favourites.' },
]

/** Starts servers with the APIs of OpenAI, Qdrant and Brave, on three ports from the first one on. */
export async function startStandIns(port: number): Promise<{ stop(): Promise<void> }> {
  const openai = new LLMock({ port, logLevel: 'silent' })
  openai.onEmbedding(RETURNS, { embedding: [0.96, 0.28, 0] })
  openai.onEmbedding(ENERGY, { embedding: [0.28, 0, 0.96] })
  openai.on(
    { endpoint: 'chat', userMessage: RETURNS },
    { content: 'You can send it back within 30 days [Handbook, Returns].' },
  )
  openai.on(
    { endpoint: 'chat', userMessage: ENERGY },
    { content: 'LED lamps, by 80 percent [Energy agency].' },
  )
  await openai.start()
  const qdrant = await serve(port + 1, (body) => ({ result: { points: closest(body as Query) } }))
  const search = await serve(port + 2, () => ({ web: { results: RESULTS } }))
  return {
    async stop() {
      await Promise.all([openai.stop(), qdrant(), search()])
    },
  }
}

interface Query {
  query: number[]
  limit: number
}

/** As Qdrant ranks them. All vectors have the length 1. */
function closest({ query, limit }: Query): object[] {
  return HANDBOOK.map(({ vector, text }, id) => ({
    id,
    score: vector.reduce((sum, value, at) => sum + value * query[at]!, 0),
    payload: { text },
  }))
    .toSorted((one, other) => other.score - one.score)
    .slice(0, limit)
}

async function serve(
  port: number,
  answer: (body: unknown) => object,
): Promise<() => Promise<void>> {
  const server = createServer(async (request, response) => {
    const body = request.method === 'POST' ? await json(request) : undefined
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer(body)))
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return async () => {
    server.closeAllConnections()
    await server[Symbol.asyncDispose]()
  }
}
