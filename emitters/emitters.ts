import { createRequire } from 'node:module'
import { type Run } from './agent.ts'
import { runAiSdk, runChat, runLangChain, runMessages, runResponses } from './clients.ts'

/** The agent under the instrumentation of a vendor, as its documentation says to set it up. */
export interface Emitter {
  /** Its packages; the first one is the instrumentation. */
  packages: string[]
  /** The wire format of the application. */
  wire: 'openai-chat' | 'openai-responses' | 'anthropic'
  /** What has to be set to have contents in the traces, beside what `run` sets. */
  env?: Record<string, string>
  /** Runs the agent, and sends all that is traced. */
  run(urls: Urls, run: Run): Promise<void>
}

export interface Urls {
  /** The server of the models. */
  provider: string
  /** The server that takes the traces, in the place of the vendor's. */
  receiver: string
}

// Most instrumentations patch what is required.
const load = createRequire(import.meta.url)

const OPENAI = 'openai'
const ANTHROPIC = '@anthropic-ai/sdk'
const SDK = '@opentelemetry/sdk-trace-node'

/** Sets up OpenTelemetry's SDK as its documentation says, with exporters of OTLP. */
function openTelemetry({ receiver }: Urls, processors: object[] = []) {
  const { NodeTracerProvider, BatchSpanProcessor } = load(SDK)
  const { OTLPTraceExporter } = load('@opentelemetry/exporter-trace-otlp-http')
  const exporter = new OTLPTraceExporter({ url: `${receiver}/v1/traces` })
  const provider = new NodeTracerProvider({
    spanProcessors: processors.length > 0 ? processors : [new BatchSpanProcessor(exporter)],
  })
  provider.register()
  return provider
}

function openTelemetryLogs({ receiver }: Urls) {
  const { LoggerProvider, BatchLogRecordProcessor } = load('@opentelemetry/sdk-logs')
  const { OTLPLogExporter } = load('@opentelemetry/exporter-logs-otlp-http')
  const exporter = new OTLPLogExporter({ url: `${receiver}/v1/logs` })
  let processor
  try {
    processor = new BatchLogRecordProcessor({ exporter })
  } catch {
    processor = new BatchLogRecordProcessor(exporter)
  }
  return new LoggerProvider({ processors: [processor] })
}

/** A span around the whole run, as an application has. */
async function inRoot(work: () => Promise<unknown>): Promise<void> {
  const { trace } = load('@opentelemetry/api')
  await trace.getTracer('refunds').startActiveSpan('refund agent', async (span: any) => {
    await ignore(work())
    span.end()
  })
}

/** The run that is refused ends with an error. */
async function ignore(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!/Rate limit reached|429/.test(String(error))) throw error
  })
  // Some end their spans only after the application has its answer.
  await new Promise((resolve) => setTimeout(resolve, 50))
}

const clients = {
  'openai-chat': { run: runChat, make: openai },
  'openai-responses': { run: runResponses, make: openai },
  anthropic: { run: runMessages, make: anthropic },
}

function openai({ provider }: Urls): any {
  const { default: OpenAI } = load(OPENAI)
  return new OpenAI({ apiKey: 'none', baseURL: `${provider}/v1`, maxRetries: 0 })
}

function anthropic({ provider }: Urls): any {
  const { default: Anthropic } = load(ANTHROPIC)
  return new Anthropic({ apiKey: 'none', baseURL: provider, maxRetries: 0 })
}

/** An instrumentation that OpenTelemetry's SDK registers. */
function instrumented(
  name: string,
  className: string,
  wire: Emitter['wire'],
  { patch = false, env = {}, options = {} as object, logs = false } = {},
): Emitter {
  const sdk = wire === 'anthropic' ? ANTHROPIC : OPENAI
  return {
    packages: [name, sdk],
    wire,
    env,
    async run(urls, run) {
      const provider = openTelemetry(urls)
      const { registerInstrumentations } = load('@opentelemetry/instrumentation')
      const instrumentation = new (load(name)[className])(options)
      const loggers = logs ? openTelemetryLogs(urls) : undefined
      registerInstrumentations({
        instrumentations: [instrumentation],
        tracerProvider: provider,
        ...(loggers ? { loggerProvider: loggers } : {}),
      })
      const module = load(sdk)
      if (patch)
        instrumentation.manuallyInstrument(
          wire === 'anthropic' && !name.startsWith('@arize') ? module : (module.default ?? module),
        )
      const { make, run: runAgent } = clients[wire]
      await inRoot(() => runAgent(make(urls), run))
      await provider.forceFlush()
      await loggers?.forceFlush()
    },
  }
}

/** A version of the AI SDK that has telemetry in it. */
function aiSdk(
  ai: string,
  provider: string,
  telemetry: (urls: Urls) => object | Promise<object>,
): Emitter {
  return {
    packages: [ai, provider],
    wire: 'openai-responses',
    async run(urls, run) {
      const tracing = openTelemetry(urls)
      const more = await telemetry(urls)
      const sdk = await import(ai)
      const { createOpenAI } = await import(provider)
      const openai = createOpenAI({ apiKey: 'none', baseURL: `${urls.provider}/v1` })
      await inRoot(() => runAiSdk(sdk, openai.responses('gpt-4.1'), more, run))
      await tracing.forceFlush()
    },
  }
}

const TELEMETRY = { experimental_telemetry: { isEnabled: true, functionId: 'refunds' } }
const { stepCountIs } = {
  stepCountIs:
    (count: number) =>
    ({ steps }: any) =>
      steps.length === count,
}

export const EMITTERS: Record<string, Emitter> = {
  'traceloop-openai-chat': instrumented(
    '@traceloop/instrumentation-openai',
    'OpenAIInstrumentation',
    'openai-chat',
    { patch: true },
  ),
  'traceloop-openai-responses': instrumented(
    '@traceloop/instrumentation-openai',
    'OpenAIInstrumentation',
    'openai-responses',
    { patch: true },
  ),
  'traceloop-anthropic': instrumented(
    '@traceloop/instrumentation-anthropic',
    'AnthropicInstrumentation',
    'anthropic',
    { patch: true },
  ),
  'openinference-openai-chat': instrumented(
    '@arizeai/openinference-instrumentation-openai',
    'OpenAIInstrumentation',
    'openai-chat',
    { patch: true },
  ),
  'openinference-openai-responses': instrumented(
    '@arizeai/openinference-instrumentation-openai',
    'OpenAIInstrumentation',
    'openai-responses',
    { patch: true },
  ),
  'openinference-anthropic': instrumented(
    '@arizeai/openinference-instrumentation-anthropic',
    'AnthropicInstrumentation',
    'anthropic',
    { patch: true },
  ),
  'otel-openai-chat': instrumented(
    '@opentelemetry/instrumentation-openai',
    'OpenAIInstrumentation',
    'openai-chat',
    { logs: true, options: { captureMessageContent: true } },
  ),
  'otel-openai-chat-without-content': instrumented(
    '@opentelemetry/instrumentation-openai',
    'OpenAIInstrumentation',
    'openai-chat',
    { logs: true },
  ),
  'ai-sdk-4': aiSdk('ai4', 'ai-openai1', () => ({ ...TELEMETRY, maxSteps: 9 })),
  'ai-sdk-5': aiSdk('ai5', 'ai-openai2', () => ({ ...TELEMETRY, stopWhen: stepCountIs(9) })),
  'ai-sdk-6': aiSdk('ai6', 'ai-openai3', () => ({ ...TELEMETRY, stopWhen: stepCountIs(9) })),
  'ai-sdk-7': {
    ...aiSdk('ai7', 'ai-openai4', async () => {
      const { registerTelemetry } = await import('ai7')
      const { OpenTelemetry } = await import('@ai-sdk/otel')
      registerTelemetry(new OpenTelemetry())
      return { telemetry: { functionId: 'refunds' }, stopWhen: stepCountIs(9) }
    }),
    packages: ['ai7', 'ai-openai4', '@ai-sdk/otel'],
  },
  'phoenix-openai-chat': {
    packages: ['@arizeai/phoenix-otel', '@arizeai/openinference-instrumentation-openai', OPENAI],
    wire: 'openai-chat',
    async run(urls, run) {
      const { register } = load('@arizeai/phoenix-otel')
      const provider = register({ projectName: 'refunds', url: urls.receiver, batch: true })
      const { OpenAIInstrumentation } = load('@arizeai/openinference-instrumentation-openai')
      const instrumentation = new OpenAIInstrumentation({ tracerProvider: provider })
      instrumentation.manuallyInstrument(load(OPENAI).default ?? load(OPENAI))
      await inRoot(() => runChat(openai(urls), run))
      await provider.forceFlush()
    },
  },
  'openinference-langchain': langChain(
    '@arizeai/openinference-instrumentation-langchain',
    async (urls) => {
      const provider = openTelemetry(urls)
      const { LangChainInstrumentation } =
        await import('@arizeai/openinference-instrumentation-langchain')
      const manager = await import('@langchain/core/callbacks/manager')
      new LangChainInstrumentation({ tracerProvider: provider }).manuallyInstrument(manager)
      return { callbacks: () => [], around: inRoot, flush: () => provider.forceFlush() }
    },
  ),
  'langfuse-langchain': langChain('@langfuse/langchain', async (urls) => {
    const provider = await langfuseProvider(urls)
    const { CallbackHandler } = await import('@langfuse/langchain')
    const { startActiveObservation } = await import('@langfuse/tracing')
    return {
      callbacks: () => [new CallbackHandler()],
      around: (work) => startActiveObservation('refund agent', () => ignore(work())),
      flush: () => provider.forceFlush(),
    }
  }),
  'langsmith-langchain': langChain('langsmith', async (urls) => {
    const client = await langsmithClient(urls)
    const { getCurrentRunTree, traceable } = await import('langsmith/traceable')
    const { getLangchainCallbacks } = await import('langsmith/langchain')
    return {
      callbacks: async () => await getLangchainCallbacks(getCurrentRunTree()),
      around: (work) => traceable(() => ignore(work()), { name: 'refund agent', client })(),
      flush: () => client.awaitPendingTraceBatches(),
    }
  }),
  'langfuse-openai-chat': langfuse('openai-chat'),
  'langfuse-openai-responses': langfuse('openai-responses'),
  'langsmith-openai-chat': langsmith('openai-chat'),
  'langsmith-openai-responses': langsmith('openai-responses'),
  'langsmith-anthropic': langsmith('anthropic'),
  'braintrust-openai-chat': braintrust('openai-chat'),
  'braintrust-openai-responses': braintrust('openai-responses'),
  'braintrust-anthropic': braintrust('anthropic'),
}

async function langfuseProvider(urls: Urls) {
  const { LangfuseSpanProcessor } = await import('@langfuse/otel')
  const processor = new LangfuseSpanProcessor({
    publicKey: 'pk-lf-none',
    secretKey: 'sk-lf-none',
    baseUrl: urls.receiver,
  })
  return openTelemetry(urls, [processor])
}

async function langsmithClient({ receiver }: Urls) {
  process.env.LANGSMITH_TRACING = 'true'
  process.env.LANGSMITH_ENDPOINT = receiver
  process.env.LANGSMITH_API_KEY = 'none'
  const { Client } = await import('langsmith')
  return new Client()
}

/** What a tracer needs of an application with LangChain. */
interface Tracing {
  /** The callbacks inside of the span around the run. */
  callbacks(): unknown
  around(work: () => Promise<unknown>): Promise<void>
  flush(): Promise<unknown>
}

function langChain(name: string, trace: (urls: Urls) => Promise<Tracing>): Emitter {
  return {
    packages: [name, '@langchain/core', '@langchain/openai'],
    wire: 'openai-chat',
    async run(urls, run) {
      const { callbacks, around, flush } = await trace(urls)
      const { ChatOpenAI } = await import('@langchain/openai')
      const messages = await import('@langchain/core/messages')
      const model = new ChatOpenAI({
        model: 'gpt-4.1',
        temperature: 0.2,
        maxTokens: 200,
        apiKey: 'none',
        maxRetries: 0,
        configuration: { baseURL: `${urls.provider}/v1` },
      })
      await around(async () => runLangChain(model, messages, await callbacks(), run))
      await flush()
    },
  }
}

function langfuse(wire: Emitter['wire']): Emitter {
  return {
    packages: ['@langfuse/openai', '@langfuse/otel', OPENAI],
    wire,
    async run(urls, run) {
      const provider = await langfuseProvider(urls)
      const { observeOpenAI } = await import('@langfuse/openai')
      const { startActiveObservation } = await import('@langfuse/tracing')
      const { make, run: runAgent } = clients[wire]
      await startActiveObservation('refund agent', async () => {
        await ignore(runAgent(observeOpenAI(make(urls)), run))
      })
      await provider.forceFlush()
    },
  }
}

function langsmith(wire: Emitter['wire']): Emitter {
  return {
    packages: ['langsmith', wire === 'anthropic' ? ANTHROPIC : OPENAI],
    wire,
    async run(urls, run) {
      const client = await langsmithClient(urls)
      const { traceable } = await import('langsmith/traceable')
      const { make, run: runAgent } = clients[wire]
      const wrapped =
        wire === 'anthropic'
          ? (await import('langsmith/wrappers/anthropic')).wrapAnthropic(make(urls), { client })
          : (await import('langsmith/wrappers')).wrapOpenAI(make(urls), { client })
      await traceable(() => ignore(runAgent(wrapped, run)), { name: 'refund agent', client })()
      await client.awaitPendingTraceBatches()
    },
  }
}

function braintrust(wire: Emitter['wire']): Emitter {
  return {
    packages: ['braintrust', wire === 'anthropic' ? ANTHROPIC : OPENAI],
    wire,
    async run(urls, run) {
      process.env.BRAINTRUST_API_KEY = 'none'
      process.env.BRAINTRUST_APP_URL = urls.receiver
      const { flush, initLogger, traced, wrapAnthropic, wrapOpenAI } = await import('braintrust')
      initLogger({ projectName: 'refunds', apiKey: 'none', appUrl: urls.receiver })
      const { make, run: runAgent } = clients[wire]
      const client = (wire === 'anthropic' ? wrapAnthropic : wrapOpenAI)(make(urls))
      await traced(() => ignore(runAgent(client, run)), { name: 'refund agent' })
      await flush()
    },
  }
}
