import type { IncomingMessage, ServerResponse } from 'node:http'
import { mediaOf } from '../media.ts'

/** What OpenAI and Anthropic answer beside chat: files, batches, pictures, sound, counts, and polls. */
export class BeyondChat {
  #made = 0
  /** How often each thing was looked after that takes its time. */
  readonly #polls = new Map<string, number>()

  /** Answers a request; false when its address is another. */
  async answer(request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<boolean> {
    const [path = ''] = request.url!.split('?')
    const key = `${request.method} ${path.replace(/\b((?:msg)?batch|c?file|resp|video|cntr)[-_]\d+/g, '$1')}`
    const answer = this.#answers[key]
    if (!answer) return false
    const fields = key.startsWith('POST /upload/') ? {} : await readFields(request, body)
    const host = `http://${request.headers.host}`
    const answered = answer({ id: path.match(/\w+[-_]\d+/)?.[0] ?? '', fields, host })
    if (answered === undefined) return false
    const isText = typeof answered === 'string'
    const isSound = Buffer.isBuffer(answered)
    const type = isSound ? 'audio/mpeg' : isText ? 'application/x-jsonl' : 'application/json'
    // As Google answers what is uploaded, and OpenAI everything.
    const upload = key.startsWith('POST /upload/')
      ? {
          'x-goog-upload-status': path.endsWith('/parts') ? 'final' : 'active',
          'x-goog-upload-url': `${host}${path.replace(/\/parts$/, '')}/parts?upload_id=u1`,
        }
      : {}
    const told = { 'x-request-id': `req_${++this.#made}`, ...upload }
    response.writeHead(200, { 'content-type': type, ...told })
    response.end(isSound || isText ? answered : JSON.stringify(answered))
    return true
  }

  readonly #answers: Record<string, (question: Question) => object | string | undefined> = {
    'POST /v1/files': ({ fields: { file, purpose }, host }) => ({
      id: this.#newId('file-'),
      ...(purpose
        ? { object: 'file', purpose, bytes: file!.length, status: 'processed' }
        : { type: 'file', size_bytes: file!.length, downloadable: false }),
      filename: 'lines.jsonl',
      created_at: host ? 1_700_000_000 : 0,
    }),
    'GET /v1/files/file/content': () =>
      batchLine('one', 'You said: One') + batchLine('two', 'You said: Two'),
    'POST /v1/batches': ({ fields }) => ({
      ...fields,
      id: this.#newId('batch_'),
      object: 'batch',
      status: 'validating',
    }),
    'GET /v1/batches/batch': ({ id }) => {
      const status = this.#next(id, ['validating', 'in_progress', 'completed'])
      return {
        id,
        object: 'batch',
        status,
        ...(status === 'completed' ? { output_file_id: 'file-99' } : {}),
      }
    },
    'POST /v1/images/generations': ({ fields }) => ({
      created: 1,
      data: [{ b64_json: drawn(`${fields.prompt}`) }],
    }),
    'POST /v1/images/edits': ({ fields }) => ({
      created: 1,
      data: [{ b64_json: drawn(`${fields.prompt} ${fields.image!.length}`) }],
    }),
    'POST /v1/audio/transcriptions': ({ fields }) => ({
      text: `I heard ${fields.file!.length} bytes.`,
    }),
    'POST /v1/audio/speech': ({ fields }) => {
      const [, kind, size] = /^(\w+) of (\d+) bytes$/.exec(`${fields.input}`) ?? []
      return kind
        ? mediaOf(kind, Number(size))
        : Buffer.from([0xff, 0xfb, 0x90, 0, ...Buffer.from(`${fields.input}`)])
    },
    'POST /upload/v1/files': () => ({}),
    'POST /upload/v1/files/parts': () => ({
      file: { name: 'files/f1', uri: 'https://example.com/files/f1', mimeType: 'text/plain' },
    }),
    'GET /v1/videos/video/content': () => mediaOf('mp4', 4 * 2 ** 20),
    'GET /v1/containers/cntr/files/cfile/content': () => mediaOf('pdf', 4_096),
    'POST /v1/moderations': ({ fields }) => ({
      id: 'modr-1',
      model: fields.model,
      results: [{ flagged: /war/.test(`${fields.input}`), categories: {}, category_scores: {} }],
    }),
    'POST /v1/responses/input_tokens': ({ fields }) => ({
      object: 'response.input_tokens',
      input_tokens: `${fields.input}`.length,
    }),
    'POST /v1/responses': ({ fields }) => {
      if (!fields.background) return undefined
      return {
        id: this.#newId('resp_'),
        object: 'response',
        status: 'queued',
        model: fields.model,
        output: [],
        background: true,
      }
    },
    'GET /v1/responses/resp': ({ id }) => {
      const status = this.#next(id, ['queued', 'in_progress', 'completed'])
      const content = [{ type: 'output_text', text: 'It took its time.', annotations: [] }]
      const output =
        status === 'completed' ? [{ type: 'message', id: 'msg_1', role: 'assistant', content }] : []
      const usage =
        status === 'completed' ? { input_tokens: 9, output_tokens: 5, total_tokens: 14 } : null
      return { id, object: 'response', status, model: 'gpt-5', output, usage }
    },
    'POST /v1/messages/batches': ({ host }) =>
      this.#batchOf(this.#newId('msgbatch_'), 'in_progress', host),
    'GET /v1/messages/batches/msgbatch': ({ id, host }) =>
      this.#batchOf(id, this.#next(id, ['in_progress', 'in_progress', 'ended', 'ended']), host),
    'GET /v1/messages/batches/msgbatch/results': () =>
      resultLine('one', 'You said: One') + resultLine('two', 'You said: Two'),
    'POST /v1/messages/count_tokens': ({ fields }) => ({
      input_tokens: JSON.stringify(fields.messages).length,
    }),
  }

  #newId(prefix: string): string {
    return `${prefix}${++this.#made}`
  }

  #next(id: string, states: string[]): string {
    const time = this.#polls.get(id) ?? 0
    this.#polls.set(id, time + 1)
    return states[Math.min(time, states.length - 1)]!
  }

  #batchOf(id: string, processing_status: string, host: string): object {
    const results_url =
      processing_status === 'ended' ? `${host}/v1/messages/batches/${id}/results` : null
    return { id, type: 'message_batch', processing_status, results_url }
  }
}

interface Question {
  id: string
  fields: Record<string, any>
  host: string
}

/** The fields of JSON or of a form; a file is its bytes. */
async function readFields(
  { headers }: IncomingMessage,
  body: Buffer,
): Promise<Record<string, any>> {
  const type = headers['content-type'] ?? ''
  if (type.startsWith('application/json')) return JSON.parse(body.toString() || '{}') as object
  if (!type.startsWith('multipart/')) return {}
  const form = await new Response(new Uint8Array(body), {
    headers: { 'content-type': type },
  }).formData()
  const fields = [...form].map(async ([name, value]) => [
    name.replace('[]', ''),
    typeof value === 'string' ? value : Buffer.from(await value.arrayBuffer()),
  ])
  return Object.fromEntries(await Promise.all(fields)) as Record<string, unknown>
}

/** A picture of 2,009 bytes that shows what was asked for. */
function drawn(prompt: string): string {
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00]),
    Buffer.alloc(2_000, prompt),
  ]).toString('base64')
}

function batchLine(custom_id: string, content: string): string {
  const body = { id: custom_id, choices: [{ index: 0, message: { role: 'assistant', content } }] }
  return `${JSON.stringify({ id: `line-${custom_id}`, custom_id, response: { status_code: 200, body } })}\n`
}

function resultLine(custom_id: string, text: string): string {
  const message = {
    id: custom_id,
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text }],
  }
  return `${JSON.stringify({ custom_id, result: { type: 'succeeded', message } })}\n`
}
