import type { IncomingHttpHeaders, ServerResponse } from 'node:http'

/** What was asked, by the number of the prediction. */
const asked: string[] = []

/** Answers as Replicate, whose streams have an address of their own; false for any other address. */
export function answerReplicate(
  path: string,
  body: string,
  { host = '' }: IncomingHttpHeaders,
  response: ServerResponse,
): boolean {
  const stream = /\/v1\/streams\/p(\d+)$/.exec(path)
  if (stream) {
    const pieces = `You said: ${asked[Number(stream[1])]}`.match(/.{1,12}/gs) ?? []
    const events = pieces.map((piece) => `event: output\ndata: ${piece}\n\n`)
    response.setHeader('content-type', 'text/event-stream')
    response.end([...events, 'event: done\ndata: {}\n\n'].join(''))
    return true
  }
  const poll = /\/v1\/predictions\/p(\d+)$/.exec(path)
  if (!poll && !path.endsWith('/predictions')) return false
  const number = poll ? Number(poll[1]) : asked.push(JSON.parse(body).input.prompt) - 1
  const streamHost = host.replace('127.0.0.1', 'localhost')
  const prediction = {
    id: `p${number}`,
    model: 'meta/llama',
    input: { prompt: asked[number] },
    output: [`You said: `, asked[number]],
    status: 'succeeded',
    urls: {
      get: `http://${host}/v1/predictions/p${number}`,
      stream: `http://${streamHost}/v1/streams/p${number}`,
    },
  }
  response.writeHead(poll ? 200 : 201, { 'content-type': 'application/json' })
  response.end(JSON.stringify(prediction))
  return true
}
