import { once } from 'node:events'
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { BeyondChat } from './beyond-chat-answers.ts'
import { answerGeminiLive } from './gemini-live.ts'
import { answerGateway } from './gateway-answers.ts'
import { answerReplicate } from './replicate-answers.ts'
import { answerSample } from './sample-answers.ts'

/**
 * A server with the addresses of all providers: it answers those that aimock does not know, and
 * forwards the rest to it.
 */
export async function startFrontServer(aimock: string, port: number): Promise<{ url: string }> {
  const beyondChat = new BeyondChat()
  const server = createServer(async (question, response) => {
    const path = addressOf(question.url!)
    const bytes = await buffer(question)
    const body = bytes.toString()
    if (answerVertex(question, response)) return
    const answered =
      (await beyondChat.answer(question, bytes, response)) ||
      answerEmbeddings(path, body, response) ||
      answerGateway(path, body, question.headers, response) ||
      answerReplicate(path, body, question.headers, response) ||
      answerSample(question.url!, body, response)
    if (!answered) await forward(aimock + path, question, bytes, response)
  })
  answerGeminiLive(server)
  // Longer than a busy machine holds up a client, which would ask over a connection that is gone.
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(port, resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const TOKEN = 'ya29.of-the-stand-in'

/** Gives a service account its token, and refuses whoever asks without it; false where aimock is to answer. */
function answerVertex({ url, headers }: IncomingMessage, response: ServerResponse): boolean {
  response.setHeader('content-type', 'application/json')
  if (url === '/token') {
    const token = { access_token: TOKEN, token_type: 'Bearer', expires_in: 3_599 }
    response.end(JSON.stringify(token))
    return true
  }
  const isRefused =
    url!.startsWith('/v1beta1/projects/') && headers.authorization !== `Bearer ${TOKEN}`
  if (isRefused) response.writeHead(401).end('{"error":{"code":401,"message":"Who are you?"}}')
  else response.removeHeader('content-type')
  return isRefused
}

/** The address of aimock that stands for one of a provider. */
function addressOf(path: string): string {
  return path
    .replace(/^\/v1\/models\/(?=[^/]+:)/, '/v1beta/models/')
    .replace(/^\/v1beta1\/projects\/.+\/(?=models\/[^/]+:)/, '/v1beta/')
    .replace(/^(?:\/inference\/v1)?(?=\/(?:chat\/completions|embeddings)$)/, '/v1')
}

async function forward(
  url: string,
  { method, headers }: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): Promise<void> {
  const { host: _, ...rest } = headers
  const forwarded = ask(url, { method, headers: rest })
  forwarded.end(body)
  const [answer] = (await once(forwarded, 'response')) as [IncomingMessage]
  const mend = menderOf(url, body.toString())
  if (!mend) {
    response.writeHead(answer.statusCode!, answer.headers)
    return void answer.pipe(response)
  }
  const { 'content-length': __, ...kept } = answer.headers
  response.writeHead(answer.statusCode!, kept)
  response.end(mend(await buffer(answer)))
}

/** What has to change in the answers of aimock, to be what the provider would send. */
function menderOf(url: string, body: string): ((answer: Buffer) => Buffer | string) | undefined {
  // Gemini knows no reason for ending with a call.
  if (/:\w*enerateContent/.test(url))
    return (answer) => String(answer).replaceAll('"FUNCTION_CALL"', '"STOP"')
  // Embeddings of Mistral have an id.
  if (url.endsWith('/embeddings') && body.includes('"mistral-embed"'))
    return (answer) => String(answer).replace('{', '{"id":"embeddings-1",')
  // Texts of Bedrock begin without an event.
  if (url.endsWith('/converse-stream'))
    return (answer) => Buffer.concat(framesOf(answer).filter((frame) => !beginsText(frame)))
  return undefined
}

/** Every frame of Amazon's event stream begins with its length. */
function framesOf(stream: Buffer): Buffer[] {
  if (stream.length === 0) return []
  const length = stream.readUInt32BE(0)
  return [stream.subarray(0, length), ...framesOf(stream.subarray(length))]
}

function beginsText(frame: Buffer): boolean {
  return frame.includes('contentBlockStart') && !frame.includes('toolUse')
}

/** The embeddings of Gemini in a batch, and of Titan on Bedrock. */
function answerEmbeddings(path: string, body: string, response: ServerResponse): boolean {
  const values = [0.25, -0.5, 1]
  if (path.endsWith(':batchEmbedContents')) {
    const { requests } = JSON.parse(body) as { requests: unknown[] }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ embeddings: requests.map(() => ({ values })) }))
    return true
  }
  if (/\/model\/amazon\.titan-embed[^/]*\/invoke$/.test(path)) {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ embedding: values, inputTextTokenCount: 1 }))
    return true
  }
  return false
}
