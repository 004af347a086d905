import {
  CALLS,
  EARLIER,
  PICTURE,
  QUESTION,
  RESULTS,
  SYSTEM,
  TOOLS,
  VERDICT,
  type Format,
} from './content.ts'

const functions = TOOLS.map(([name, description, parameters]) => ({
  type: 'function',
  function: { name, description, parameters },
}))

const calls = (spell: (input: object) => unknown): object[] =>
  CALLS.map(([id, input]) => ({
    id,
    type: 'function',
    function: { name: 'look_up', arguments: spell(input) },
  }))

const results = CALLS.map(([tool_call_id], at) => ({
  role: 'tool',
  tool_call_id,
  content: RESULTS[at]!,
}))

const chat = (question: object, spell: (input: object) => unknown): object[] => [
  { role: 'system', content: SYSTEM },
  { role: 'user', content: 'Where is it?' },
  { role: 'assistant', content: EARLIER },
  question,
  { role: 'assistant', content: '', tool_calls: calls(spell) },
  ...results,
]

const withPicture = {
  role: 'user',
  content: [
    { type: 'text', text: QUESTION },
    { type: 'image_url', image_url: { url: `data:image/png;base64,${PICTURE}` } },
  ],
}

const AT = {
  model: 'model',
  system: 'messages.0.content',
  question: 'messages.3.content.0.text',
  earlier: 'messages.2.content',
  messages: 'messages',
  swapped: ['messages.1', 'messages.2'] as [string, string],
  picture: 'messages.3.content.1.image_url.url',
  tools: 'tools',
  toolName: 'tools.0.function.name',
  toolText: 'tools.0.function.description',
  parameters: 'tools.0.function.parameters',
  arguments: 'messages.4.tool_calls.0.function.arguments',
  callIds: ['messages.4.tool_calls.0.id', 'messages.4.tool_calls.1.id'] as [string, string],
  resultIds: ['messages.5.tool_call_id', 'messages.6.tool_call_id'] as [string, string],
  results: ['messages.5.content', 'messages.6.content'] as [string, string],
  limit: 'max_tokens',
  temperature: 'temperature',
}

/** Formats whose messages are those of OpenAI's chat completions. */
export const CHAT_FORMATS: Format[] = [
  {
    name: "OpenAI's chat completions",
    url: 'https://shop.openai.azure.com/openai/deployments/gpt-5/chat/completions?api-version=2025-04-01-preview',
    elsewhere:
      'https://bank.openai.azure.com/openai/deployments/gpt-5/chat/completions?api-version=2025-04-01-preview',
    body: {
      model: 'gpt-5',
      messages: chat(withPicture, JSON.stringify) as never,
      tools: functions as never,
      tool_choice: 'auto',
      response_format: { type: 'json_schema', json_schema: { name: 'verdict', schema: VERDICT } },
      max_tokens: 100,
      temperature: 0.2,
      stop: ['END'],
      stream: false,
    },
    at: {
      ...AT,
      stop: 'stop',
      choice: ['tool_choice', 'required'],
      schema: 'response_format.json_schema.schema',
    },
    streamed: { body: { stream: true } },
  },
  {
    name: "Cohere's chat",
    url: 'https://api.cohere.com/v2/chat',
    elsewhere: 'https://api.cohere.ai/v2/chat',
    body: {
      model: 'command-a-vision',
      messages: chat(withPicture, JSON.stringify) as never,
      tools: functions as never,
      tool_choice: 'REQUIRED',
      response_format: { type: 'json_object', schema: VERDICT },
      max_tokens: 100,
      temperature: 0.2,
      stop_sequences: ['END'],
      stream: false,
    },
    at: {
      ...AT,
      stop: 'stop_sequences',
      choice: ['tool_choice', 'NONE'],
      schema: 'response_format.schema',
    },
    streamed: { body: { stream: true } },
  },
  {
    name: "Ollama's chat",
    url: 'http://127.0.0.1:11434/api/chat',
    elsewhere: 'http://localhost:49152/api/chat',
    body: {
      model: 'qwen3',
      messages: chat(
        { role: 'user', content: QUESTION, images: [PICTURE] },
        (input) => input,
      ) as never,
      tools: functions as never,
      format: VERDICT,
      options: { num_predict: 100, temperature: 0.2, stop: ['END'] },
      stream: false,
    },
    at: {
      ...AT,
      question: 'messages.3.content',
      picture: 'messages.3.images.0',
      arguments: 'messages.4.tool_calls.0.function.arguments.order',
      limit: 'options.num_predict',
      temperature: 'options.temperature',
      stop: 'options.stop',
      schema: 'format',
    },
    streamed: { body: { stream: true } },
  },
]
