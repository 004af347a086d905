import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { needs } from '../needs.ts'
import { linkClients } from './installed-clients.ts'
import { VitestProject } from './vitest-project.ts'

// The agent of the emitters with the real SDKs, answered by what the tracing products kept of one of its runs.

const emitters = fileURLToPath(new URL('../../emitters/', import.meta.url))

/** How each SDK is told to run the agent. */
const SDKS = {
  openai: [
    `import OpenAI from 'openai'`,
    `new OpenAI({ apiKey: 'sk-none', maxRetries: 0 })`,
    'runChat(client, run)',
  ],
  responses: [
    `import OpenAI from 'openai'`,
    `new OpenAI({ apiKey: 'sk-none', maxRetries: 0 })`,
    'runResponses(client, run)',
  ],
  anthropic: [
    `import Anthropic from '@anthropic-ai/sdk'`,
    `new Anthropic({ apiKey: 'none', maxRetries: 0 })`,
    'runMessages(client, run)',
  ],
  ai: [
    `import * as ai from 'ai'\nimport { createOpenAI } from '@ai-sdk/openai'`,
    `createOpenAI({ apiKey: 'sk-none' }).responses('gpt-4.1')`,
    'runAiSdk(ai, client, { stopWhen: ai.stepCountIs(9) }, run)',
  ],
  langchain: [
    `import { ChatOpenAI } from '@langchain/openai'\nimport * as messages from '@langchain/core/messages'`,
    `new ChatOpenAI({ model: 'gpt-4.1', temperature: 0.2, maxTokens: 200, apiKey: 'sk-none', maxRetries: 0 })`,
    'runLangChain(client, messages, undefined, run)',
  ],
} as const

/** Those that come with `clients/`. */
const OF_CLIENTS: Array<keyof typeof SDKS> = ['ai', 'langchain']

/** The test of an application: at once and streamed, it comes to the end to which it came in production. */
function testWith(sdk: keyof typeof SDKS): string {
  const [imports, client, run] = SDKS[sdk]
  return `${imports}
import { expect, test } from 'vitest'
import * as clients from './clients.ts'

test.for(['plain', 'stream'])('%s', async (variant) => {
  const client = ${client}
  const run = { variant }
  const answers = await clients.${run}
  expect(answers).toEqual(['You get 40 euros back, Ada.', 'In three days.'])
})
`
}

const CASES: Array<[convention: string, trace: string, sdk: keyof typeof SDKS]> = [
  ['OpenTelemetry', 'otel-openai-chat', 'openai'],
  ['Traceloop', 'traceloop-anthropic', 'anthropic'],
  ['OpenInference', 'openinference-openai-responses', 'responses'],
  ['OpenInference', 'openinference-langchain', 'langchain'],
  ['the AI SDK', 'ai-sdk-7', 'ai'],
  ['Langfuse', 'langfuse-openai-responses', 'responses'],
  ['Langfuse', 'langfuse-langchain', 'langchain'],
  ['LangSmith', 'langsmith-anthropic', 'anthropic'],
  ['Braintrust', 'braintrust-openai-responses', 'responses'],
]

for (const [convention, trace, sdk] of CASES) {
  const isOfClients = OF_CLIENTS.includes(sdk)
  test(
    `a trace of ${convention} (${trace}) answers its agent with the real SDK ${sdk}, and a changed word fails`,
    needs(...(isOfClients ? (['clients'] as const) : [])),
    async () => {
      const project = new VitestProject('traced')
      if (isOfClients) linkClients(project)
      for (const file of ['agent.ts', 'clients.ts'])
        cpSync(join(emitters, file), join(project.dir, file))
      cpSync(join(emitters, `captured/${trace}.plain.jsonl`), join(project.dir, 'trace.jsonl'))
      project.remove('refund.test.ts')
      project.write('sdk.test.ts', testWith(sdk))
      let notCompared: object = {}
      for (const variant of ['plain', 'stream']) {
        const command = `import trace.jsonl --test 'sdk.test.ts > ${variant}' --write --json`
        // The other test has no cassette at first, so the command fails.
        const { output } = await project.cli(`${command} 2>/dev/null`)
        const [written] = JSON.parse(output).traces
        expect(written).toMatchObject({ test: `sdk.test.ts > ${variant}` })
        expect(written).not.toHaveProperty('notWritten')
        notCompared = written.notCompared
      }
      const replayed = await project.run()
      expect(replayed.exitCode, replayed.output).toBe(0)
      expect(replayed.output).toContain('8 replayed')

      const otherResult = await project.runEdited('agent.ts', `'refunded'`, `'refused'`)
      expect(otherResult.exitCode, otherResult.output).toBe(1)
      expect(otherResult.output).toContain('refused')

      const { exitCode, output } = await project.runEdited('agent.ts', 'You decide', 'They decide')
      if ('instructions' in notCompared) return expect(exitCode, output).toBe(0)
      expect(exitCode).toBe(1)
      expect(output).toMatch(/\[-You-\] decide on refunds[^]*\{\+They\+\} decide/)
    },
  )
}
