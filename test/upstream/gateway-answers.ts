import type { IncomingHttpHeaders, ServerResponse } from 'node:http'

/** Answers as the gateway of Vercel's AI SDK; false for any other address. */
export function answerGateway(
  path: string,
  body: string,
  headers: IncomingHttpHeaders,
  response: ServerResponse,
): boolean {
  if (path.endsWith('/ai/embedding-model')) {
    const { values } = JSON.parse(body) as { values: string[] }
    send(response, { embeddings: values.map(() => [0.25, -0.5, 1]), usage: { tokens: 2 } })
    return true
  }
  if (!path.endsWith('/ai/language-model')) return false
  const question = JSON.parse(body) as Question
  const content = contentOf(question)
  const calls = content.some(({ type }) => type === 'tool-call')
  const ending = {
    finishReason: calls
      ? { unified: 'tool-calls', raw: 'tool_calls' }
      : { unified: 'stop', raw: 'stop' },
    usage: {
      inputTokens: { total: 12, noCache: 12, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 4, text: 4, reasoning: 0 },
    },
  }
  if (headers['ai-language-model-streaming'] !== 'true') {
    send(response, { content, ...ending, warnings: [] })
    return true
  }
  const parts = [
    { type: 'stream-start', warnings: [] },
    ...content.flatMap(streamPart),
    { type: 'finish', ...ending },
  ]
  response.setHeader('content-type', 'text/event-stream')
  response.end(parts.map((part) => `data: ${JSON.stringify(part)}\n\n`).join(''))
  return true
}

interface Question {
  prompt: { role: string; content: { text?: string; output?: { value: string } }[] }[]
  tools?: { name: string }[]
  responseFormat?: { type: string }
}

type Content = { type: 'text'; text: string } | { type: 'tool-call'; [name: string]: string }

function contentOf({ prompt, tools, responseFormat }: Question): Content[] {
  const { role, content } = prompt.at(-1)!
  if (tools && role === 'user') {
    const [{ name: toolName }] = tools as [{ name: string }]
    return [{ type: 'tool-call', toolCallId: 'call_1', toolName, input: '{"order":7}' }]
  }
  if (responseFormat?.type === 'json')
    return [{ type: 'text', text: '{"city":"Bern","degrees":7}' }]
  const words = content.map(({ text, output }) => text ?? output?.value ?? '[image]').join(' ')
  return [{ type: 'text', text: `You said: ${words}` }]
}

function streamPart(part: Content): object[] {
  if (part.type !== 'text') return [part]
  const pieces = part.text!.match(/.{1,12}/gs) ?? []
  return [
    { type: 'text-start', id: '1' },
    ...pieces.map((delta) => ({ type: 'text-delta', id: '1', delta })),
    { type: 'text-end', id: '1' },
  ]
}

function send(response: ServerResponse, body: object): void {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(body))
}
