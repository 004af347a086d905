import {
  Agent,
  handoff,
  InputGuardrailTripwireTriggered,
  OpenAIProvider,
  Runner,
} from '@openai/agents'
import { appendFileSync } from 'node:fs'
import OpenAI from 'openai'
import { expect, test } from 'vitest'

const { PORT, RESULTS } = process.env

const openAIClient = new OpenAI({
  apiKey: 'sk-none',
  maxRetries: 0,
  baseURL: `http://api.openai.com:${PORT}/v1`,
})
const modelProvider = new OpenAIProvider({ openAIClient })
const runner = new Runner({ modelProvider, tracingDisabled: true })
const model = 'gpt-5'

test('an agent hands over to another one', async () => {
  const clerk = new Agent({ name: 'Clerk', model, instructions: 'Refund orders.' })
  const front = new Agent({ name: 'Front', model, handoffs: [handoff(clerk)] })
  const { lastAgent, output } = await runner.run(front, 'Refund order 7')
  expect(lastAgent?.name).toBe('Clerk')
  appendFileSync(`${RESULTS}.sdk`, `${JSON.stringify(['handoff', output])}\n`)
})

test('a guardrail that asks a model stops an agent', async () => {
  const guard = new Agent({ name: 'Guard', model, instructions: 'Is this about orders?' })
  const agent = new Agent({
    name: 'Clerk',
    model,
    inputGuardrails: [
      {
        name: 'orders only',
        runInParallel: false,
        async execute({ input }) {
          const { finalOutput } = await runner.run(guard, input)
          return { outputInfo: finalOutput, tripwireTriggered: true }
        },
      },
    ],
  })
  const error: unknown = await runner.run(agent, 'Write a poem').catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(InputGuardrailTripwireTriggered)
  appendFileSync(`${RESULTS}.sdk`, `${JSON.stringify(['guardrail', String(error)])}\n`)
})
