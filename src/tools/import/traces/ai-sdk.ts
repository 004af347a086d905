import type { JsonValue } from '../../../json/json-value.ts'
import { defined, objectOf, stringOf } from '../../../providers/fields.ts'
import { ifSentBy, isOtherLimit } from './ai-sdk-settings.ts'
import { ofParts, usageTold } from './answers.ts'
import { Held } from './held.ts'
import { parsed, heldMessages, heldTools } from './messages.ts'
import type { HeldAnswer } from './model-call.ts'
import type { Convention, SpanKind } from './span.ts'

/** The telemetry of the AI SDK, versions 4 to 6. Version 7 writes OpenTelemetry's conventions. */
export const aiSdk: Convention = {
  name: 'the AI SDK',
  contentSetting:
    'experimental_telemetry: { isEnabled: true, recordInputs: true, recordOutputs: true }',

  kindOf({ attributes }) {
    const operation = attributes['ai.operationId']
    if (typeof operation !== 'string') return undefined
    const [, kind] = KINDS.find(([known]) => known.test(operation)) ?? []
    return kind ?? false
  },

  readCall(span) {
    const held = new Held(span)
    const messages = heldMessages(held.structure('ai.prompt.messages'))
    const tools = heldTools(held.any('ai.prompt.tools') ?? undefined)
    const provider = held.text('ai.model.provider', 'gen_ai.system')
    const model = held.text('gen_ai.request.model', 'ai.model.id')
    const responseId = held.text('ai.response.id', 'gen_ai.response.id')
    const parameters = parametersOf(held)
    const words = provider === undefined ? [] : [provider]
    return {
      prompt: defined({
        operation: 'chat',
        provider: provider || undefined,
        model: model || undefined,
        messages,
        // A call without tools has no attribute of them.
        tools: messages && (tools ?? []),
        parameters,
      }),
      answer: answerOf(held),
      hasInstructions: true,
      streamed: (held.text('ai.operationId') ?? '').endsWith('.doStream'),
      responseId,
      ifSent: ifSentBy(words, model, namesIn(parameters)),
      isOtherLimit: isOtherLimit(words, namesIn(parameters)),
      cutTexts: held.cutTexts,
    }
  },

  readTool(span) {
    const held = new Held(span)
    return {
      callId: held.text('ai.toolCall.id') || undefined,
      name: held.text('ai.toolCall.name') || undefined,
      parameters: held.json('ai.toolCall.args'),
      result: held.json('ai.toolCall.result'),
    }
  },

  agentName: ({ attributes, name }) => stringOf(attributes['ai.telemetry.functionId']) ?? name,

  conversation: ({ attributes }) =>
    stringOf(
      attributes['ai.telemetry.metadata.sessionId'] ??
        attributes['ai.telemetry.metadata.conversationId'],
    ),
}

const KINDS: ReadonlyArray<[RegExp, SpanKind]> = [
  [/\.do(?:Generate|Stream)$/, 'model'],
  [/^ai\.toolCall$/, 'tool'],
  // It repeats what its steps say.
  [/^ai\.(?:generate|stream)(?:Text|Object)$/, 'agent'],
]

/** The settings of a call, by the names that most providers have for them. */
const SETTINGS: Record<string, string> = {
  temperature: 'temperature',
  maxTokens: 'max_tokens',
  maxOutputTokens: 'max_tokens',
  topP: 'top_p',
  topK: 'top_k',
  frequencyPenalty: 'frequency_penalty',
  presencePenalty: 'presence_penalty',
  stopSequences: 'stop_sequences',
  seed: 'seed',
}

function parametersOf(held: Held): Record<string, JsonValue> {
  const settings = Object.entries(SETTINGS).flatMap(([setting, name]) => {
    const value = held.any(`ai.settings.${setting}`)
    return value === undefined ? [] : [[name, value] as const]
  })
  const choice = held.json('ai.prompt.toolChoice')
  const { type } = objectOf(choice)
  return {
    ...Object.fromEntries(settings),
    ...(type === undefined || type === 'auto' ? {} : { tool_choice: choice! }),
  }
}

function namesIn(parameters: Record<string, JsonValue>): string[] {
  return Object.keys(parameters).filter((name) => name !== 'tool_choice')
}

function answerOf(held: Held): HeldAnswer {
  const text = held.text('ai.response.text') ?? objectText(held.any('ai.response.object'))
  const reasoning = held.text('ai.response.reasoning')
  const calls = heldMessages([
    { role: 'assistant', tool_calls: held.structure('ai.response.toolCalls') ?? [] },
  ])!
  const reason = held.text('ai.response.finishReason')
  const usage = usageTold({
    input_tokens: held.number(
      'ai.usage.inputTokens',
      'ai.usage.promptTokens',
      'gen_ai.usage.input_tokens',
    ),
    output_tokens: held.number(
      'ai.usage.outputTokens',
      'ai.usage.completionTokens',
      'gen_ai.usage.output_tokens',
    ),
  })
  const parts = calls[0]!.parts.map((part) =>
    part.type === 'tool_call' ? { ...part, arguments: parsed(part.arguments) } : part,
  )
  return {
    ...ofParts(
      [
        ...(reasoning ? [{ type: 'reasoning' as const, text: reasoning }] : []),
        ...(text ? [{ type: 'text' as const, text }] : []),
        ...parts,
      ],
      reason ? [reason] : [],
    ),
    usage,
  }
}

function objectText(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
