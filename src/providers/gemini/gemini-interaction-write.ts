import type { JsonObject, JsonValue } from '../../json/json-value.ts'
import type { Completion, Usage } from '../../prompt/completion.ts'
import type { StreamEvent } from '../../wire/event-stream.ts'
import type { WireRequest, WireResponse } from '../../wire/message.ts'
import { bodyOf } from '../kit/envelope.ts'
import { jsonObject } from '../fields.ts'
import { isOpen, splitWords, writeAnswer } from '../kit/write-answer.ts'
import { argumentsText, withCallIds } from '../kit/written-call.ts'

/** Writes an interaction. */
export function writeInteraction(said: Completion, request: WireRequest): WireResponse {
  const completion = withCallIds(said, request)
  const { model, agent, stream } = bodyOf(request)
  const { finishReasons, toolCalls, incomplete, usage } = completion
  const usual = toolCalls.length > 0 ? 'requires_action' : 'completed'
  const head = jsonObject({ id: 'v1_interaction', object: 'interaction', model, agent })
  const ended = jsonObject({
    ...head,
    status: finishReasons[0] ?? (incomplete ? undefined : usual),
    usage: usage && writeUsage(usage),
  })
  const steps = stepsOf(completion)
  if (stream !== true) return writeAnswer(completion, { whole: { ...ended, steps } })
  const events = [
    event('interaction.created', { interaction: { ...head, status: 'in_progress' } }),
    ...steps.flatMap(stepEvents),
    ...(isOpen(completion) ? [] : [event('interaction.completed', { interaction: ended })]),
  ]
  return writeAnswer(completion, { events })
}

function stepsOf({ reasoning, text, toolCalls }: Completion): JsonObject[] {
  return [
    ...(reasoning ? [{ type: 'thought', summary: [{ type: 'text', text: reasoning }] }] : []),
    ...(text ? [{ type: 'model_output', content: [{ type: 'text', text }] }] : []),
    ...toolCalls.map(({ id, name, arguments: input }) =>
      jsonObject({ type: 'function_call', id, name, arguments: input }),
    ),
  ]
}

function stepEvents(step: JsonObject, index: number): StreamEvent[] {
  const { content, summary, arguments: input, ...opened } = step
  const pieces = (list: JsonValue | undefined): JsonObject[] =>
    ((list ?? []) as { text: string }[]).flatMap(({ text }) =>
      splitWords(text).map((piece) => ({ type: 'text', text: piece })),
    )
  const deltas: JsonObject[] = [
    ...pieces(summary).map((piece) => ({ type: 'thought_summary', content: piece })),
    ...pieces(content),
    ...(input === undefined ? [] : [{ type: 'arguments_delta', arguments: argumentsText(input) }]),
  ]
  return [
    event('step.start', {
      index,
      step: input === undefined ? opened : { ...opened, arguments: {} },
    }),
    ...deltas.map((delta) => event('step.delta', { index, delta })),
    event('step.stop', { index }),
  ]
}

function writeUsage(usage: Usage): JsonObject {
  const { inputTokens, outputTokens, cacheReadInputTokens, reasoningOutputTokens } = usage
  return jsonObject({
    total_input_tokens: inputTokens,
    total_output_tokens:
      outputTokens === undefined ? undefined : outputTokens - (reasoningOutputTokens ?? 0),
    total_cached_tokens: cacheReadInputTokens,
    total_thought_tokens: reasoningOutputTokens,
    total_tokens: (inputTokens ?? 0) + (outputTokens ?? 0),
  })
}

function event(event_type: string, fields: JsonObject): StreamEvent {
  return { event: event_type, data: { ...fields, event_type } }
}
