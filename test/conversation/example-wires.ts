import type { JsonObject, JsonValue } from '../../src/json/json-value.ts'
import { piecesOf, plain, streamed, type AgentTurn, type AgentWire } from './example-agent.ts'

const TOOLS = { type: 'object', properties: { path: { type: 'string' } } }
const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }

/** OpenAI's chat completions. */
export const chatWire: AgentWire = {
  name: 'openai-chat',
  url: 'https://api.openai.com/v1/chat/completions',
  body: (system, history, stream) => ({
    model: 'gpt-5',
    stream,
    tools: [{ type: 'function', function: { name: 'work', parameters: TOOLS } }],
    messages: [{ role: 'system', content: system }, ...history],
  }),
  asked: ({ question, screenshot }) => {
    const url = `data:image/png;base64,${screenshot ?? ''}`
    const image = { type: 'image_url', image_url: { url } }
    const content = screenshot ? [{ type: 'text', text: question }, image] : question
    return [{ role: 'user', content }]
  },
  called: (turn, id) => {
    const text = JSON.stringify(turn.arguments)
    const call = { id, type: 'function', function: { name: 'work', arguments: text } }
    const message = { role: 'assistant', content: null, tool_calls: [call] }
    const pieces = piecesOf(text).map((part) => ({ index: 0, function: { arguments: part } }))
    const first = { index: 0, ...call, function: { name: 'work', arguments: '' } }
    return {
      items: [message],
      answer: chatAnswer(message, 'tool_calls'),
      streamed: streamed([
        ...[first, ...pieces].map((part) => chunk({ tool_calls: [part] })),
        chunk({}, 'tool_calls'),
        '[DONE]',
      ]),
    }
  },
  returned: ({ result }, id) => [{ role: 'tool', tool_call_id: id, content: result }],
  said: ({ answer }) => {
    const message = { role: 'assistant', content: answer }
    return {
      items: [message],
      answer: chatAnswer(message, 'stop'),
      streamed: streamed([
        ...piecesOf(answer).map((content) => chunk({ content })),
        chunk({}, 'stop'),
        '[DONE]',
      ]),
    }
  },
}

function chatAnswer(message: JsonObject, reason: string) {
  return plain({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    model: 'gpt-5',
    choices: [{ index: 0, message, finish_reason: reason }],
    usage,
  })
}

function chunk(delta: JsonObject, reason: JsonValue = null): JsonObject {
  const choices = [{ index: 0, delta, finish_reason: reason }]
  return { id: 'chatcmpl-1', object: 'chat.completion.chunk', model: 'gpt-5', choices }
}

/** OpenAI's responses, which repeat instructions, tools and text in their events. */
export const responsesWire: AgentWire = {
  name: 'openai-responses',
  url: 'https://api.openai.com/v1/responses',
  body: (system, history, stream) => ({
    model: 'gpt-5',
    stream,
    instructions: system,
    input: history,
    tools: [{ type: 'function', name: 'work', parameters: TOOLS }],
  }),
  asked: ({ question }) => [{ role: 'user', content: question }],
  called: (turn, id) => {
    const item = {
      type: 'function_call',
      id: `fc_${id}`,
      call_id: id,
      name: 'work',
      arguments: JSON.stringify(turn.arguments),
    }
    return responsesAnswer(thoughtOf(turn, id), item)
  },
  returned: ({ result }, id) => [{ type: 'function_call_output', call_id: id, output: result }],
  said: ({ answer }, id) => {
    const content = [{ type: 'output_text', text: answer, annotations: [] }]
    return responsesAnswer([], { type: 'message', id: `msg_${id}`, role: 'assistant', content })
  },
}

function thoughtOf({ reasoning }: AgentTurn, id: string): JsonObject[] {
  if (reasoning === undefined) return []
  const summary = [{ type: 'summary_text', text: reasoning }]
  return [{ type: 'reasoning', id: `rs_${id}`, summary }]
}

function responsesAnswer(thoughts: JsonObject[], item: JsonObject) {
  const items = [...thoughts, item]
  const response = {
    id: `resp_${String(item.id)}`,
    object: 'response',
    status: 'completed',
    model: 'gpt-5',
    tools: [{ type: 'function', name: 'work', parameters: TOOLS }],
    output: items,
    usage: { input_tokens: 100, output_tokens: 10 },
  }
  const text = item.arguments
  const said = typeof text === 'string' ? text : JSON.stringify(item.content)
  return {
    items,
    answer: plain(response),
    streamed: streamed([
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
      ...piecesOf(said).map((delta) => ({ type: 'response.output_text.delta', delta })),
      ...items.map((done) => ({ type: 'response.output_item.done', item: done })),
      { type: 'response.completed', response },
    ]),
  }
}

/** Anthropic's messages; a hint for its cache wanders to the newest one. */
export const anthropicWire: AgentWire = {
  name: 'anthropic-messages',
  url: 'https://api.anthropic.com/v1/messages',
  body: (system, history, stream) => ({
    model: 'claude-sonnet-4-5',
    max_tokens: 1_000,
    stream,
    system,
    messages: history.map((message, index) =>
      index === history.length - 1 ? hinted(message as JsonObject) : message,
    ),
    tools: [{ name: 'work', input_schema: TOOLS }],
  }),
  asked: ({ question }) => [{ role: 'user', content: [{ type: 'text', text: question }] }],
  called: (turn, id) => {
    const call = { type: 'tool_use', id, name: 'work', input: turn.arguments }
    const text = JSON.stringify(turn.arguments)
    return {
      items: [{ role: 'assistant', content: [call] }],
      answer: anthropicAnswer([call], 'tool_use'),
      streamed: anthropicStream({ ...call, input: {} }, 'tool_use', (part) => ({
        type: 'input_json_delta',
        partial_json: part,
      }))(text),
    }
  },
  returned: ({ result }, id) => [
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: result }] },
  ],
  said: ({ answer }) => {
    const text = { type: 'text', text: answer }
    return {
      items: [{ role: 'assistant', content: [text] }],
      answer: anthropicAnswer([text], 'end_turn'),
      streamed: anthropicStream({ type: 'text', text: '' }, 'end_turn', (part) => ({
        type: 'text_delta',
        text: part,
      }))(answer),
    }
  },
}

function hinted(message: JsonObject): JsonObject {
  const parts = message.content as JsonObject[]
  const content = [
    ...parts.slice(0, -1),
    { ...parts.at(-1)!, cache_control: { type: 'ephemeral' } },
  ]
  return { ...message, content }
}

function anthropicAnswer(content: JsonObject[], reason: string) {
  const tokens = { input_tokens: 100, output_tokens: 10 }
  const envelope = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-sonnet-4-5' }
  return plain({ ...envelope, content, stop_reason: reason, usage: tokens })
}

function anthropicStream(
  block: JsonObject,
  reason: string,
  delta: (part: string) => JsonObject,
): (text: string) => ReturnType<typeof streamed> {
  const usage = { input_tokens: 100, output_tokens: 1 }
  const message = { id: 'msg_1', type: 'message', role: 'assistant', content: [], usage }
  return (text) =>
    streamed([
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block: block },
      ...piecesOf(text).map((part) => ({
        type: 'content_block_delta',
        index: 0,
        delta: delta(part),
      })),
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: reason }, usage: { output_tokens: 10 } },
      { type: 'message_stop' },
    ])
}

/** Every wire on which an agent can be recorded. */
export const agentWires: AgentWire[] = [chatWire, responsesWire, anthropicWire]
