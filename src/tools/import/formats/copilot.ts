import type { ToolCallSummary, WrittenResponse } from '../../../cassette/cassette.ts'
import { type JsonValue, tryParseJson } from '../../../json/json-value.ts'
import { defined, unlessEmpty } from '../../../providers/fields.ts'
import { Collector } from '../collect.ts'
import type { ForeignFormat } from '../foreign.ts'
import { dataIn, hasFields } from '../look.ts'
import { ForeignValue } from '../foreign-value.ts'

/**
 * Snapshots of Copilot's SDK: conversations with placeholders, of which one that begins another is left out. A request
 * is all that stands before messages of the assistant, and they are its answer.
 */
export const copilot: ForeignFormat = {
  name: 'copilot',
  tools: "Copilot SDK's test harness",
  hint: /^conversations:/m,

  recognise(file) {
    const data = dataIn(file, /^conversations:/m)
    if (!hasFields(data) || !('conversations' in data)) return false
    const { conversations, models } = data
    if (!Array.isArray(conversations)) return 'its conversations are no list'
    if (!Array.isArray(models)) return 'it names no models'
    const isConversation = (one: unknown): boolean => hasFields(one) && Array.isArray(one.messages)
    return conversations.every(isConversation) || 'a conversation has no messages'
  },

  read(file, options) {
    const collector = new Collector(file, this.name, options)
    const data = new ForeignValue(file.name, file.yaml())
    const seen = new Set<string>()
    for (const conversation of data.at('conversations').items())
      addConversation(conversation.at('messages').items(), seen, collector)
    for (const error of data.at('errors').items()) addError(error, collector)
    return [collector.recording]
  },
}

function isAssistant(message: ForeignValue | undefined): boolean {
  return message?.at('role').value === 'assistant'
}

function addConversation(messages: ForeignValue[], seen: Set<string>, collector: Collector): void {
  for (const [at, message] of messages.entries()) {
    if (!isAssistant(message) || isAssistant(messages[at - 1])) continue
    const asked = messages.slice(0, at)
    const key = JSON.stringify(asked.map(({ value }) => value))
    // Conversations that go apart begin alike, and the first of them answers.
    if (seen.has(key)) continue
    seen.add(key)
    const end = messages.findIndex((other, index) => index > at && !isAssistant(other))
    const said = messages.slice(at, end < 0 ? messages.length : end)
    collector.add({ rules: rulesOf(asked), place: message }, () => {
      if (said.some(({ value }) => /\$\{\w+\}/.test(JSON.stringify(value))))
        collector.leaveOut('what a placeholder such as ${workdir} in an answer stands for')
      return { written: answerOf(said) }
    })
  }
  if (messages.length > 0 && !isAssistant(messages.at(-1)))
    collector.leaveOut('a request without an answer')
}

/** The messages, for people. */
function rulesOf(messages: ForeignValue[]): string {
  return messages
    .map((message) => {
      const said = message.either('content', 'tool_calls').value ?? ''
      return `${message.at('role').text()}: ${JSON.stringify(said)}`
    })
    .join('\n')
}

/** Copilot's server sends the parts of one answer as choices, and its client reads them as one message. */
function answerOf(messages: ForeignValue[]): WrittenResponse {
  const calls = messages.flatMap((message) => message.at('tool_calls').items().map(callOf))
  const texts = messages.map((message) => message.either('content', 'refusal').textIfAny() ?? '')
  return defined({ text: texts.join(''), tool_calls: unlessEmpty(calls) })
}

function callOf(call: ForeignValue): ToolCallSummary {
  const spelled = call.at('function', 'arguments').textIfAny() ?? '{}'
  const parameters: JsonValue = tryParseJson(spelled) ?? spelled
  return { tool_name: call.at('function', 'name').text(), parameters }
}

function addError(error: ForeignValue, collector: Collector): void {
  const retry = error.at('retryAfterSeconds').numberIfAny()
  collector.add({ rules: rulesOf(error.at('messages').items()), place: error }, () => ({
    written: {
      text: '',
      error: error.either('message', 'code').textIfAny() ?? 'Rate limited',
      status: error.at('status').status(),
    },
    ...(retry === undefined ? {} : { headers: [['retry-after', String(retry)]] }),
  }))
}
