// What the code of the docs leaves to its readers: an application of their own, and imports shown before.
import type * as vitestCassette from 'vitest-cassette'
import type * as plugin from 'vitest-cassette/plugin'

declare global {
  const cassettes: typeof plugin.cassettes
  const configureCassettes: typeof vitestCassette.configureCassettes
  const useCassette: typeof vitestCassette.useCassette
  const cassette: import('vitest').TestContext['cassette']
  const defineConfig: typeof import('vitest/config').defineConfig
  const path: typeof import('node:path')
  const spawn: typeof import('node:child_process').spawn
  type ChildProcess = import('node:child_process').ChildProcess

  const OpenAI: typeof import('openai').default
  const openai: import('openai').default
  const anthropic: import('@anthropic-ai/sdk').default
  const Codex: new (options: { config: object }) => object

  const Agent: new () => { answer(question: string): Promise<string> }
  const agent: { ask(question: string): Promise<string> }
  const answer: (question: string) => Promise<string>
  const answerCustomer: typeof answer
  const askModel: (prompt: string) => Promise<{ text: string }>
  const createOrder: () => Promise<{ id: string }>
  const isListening: (server: ChildProcess) => Promise<void>
  const newPrices: Date
  const request: Request
  const serve: () => Promise<void>
  const summarize: typeof answer

  const id: string
  const args: string[]
  const cassetteCli: string
  const scenarioDir: string
  const variantKey: string
  const FetchAdapter: object
  const FSPersister: object
  const setupPolly: (options: object) => void
  const nockBack: typeof import('nock').back
}
