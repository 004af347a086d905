import { setTimeout as delay } from 'node:timers/promises'
import { dialectOf } from '../../providers/dialects.ts'
import { redactorFor } from '../../secrets/redactor.ts'
import { textOf } from '../../wire/body.ts'
import { keepHeaders, readBody } from '../../wire/read-body.ts'
import type { WireRequest, WireResponse } from '../../wire/message.ts'
import { layOutLine, quoteStart } from '../../text/printable.ts'

type Asked =
  | { kind: 'answer'; response: WireResponse; durationMs: number }
  /** The provider rejected this request; it may accept others. */
  | { kind: 'refused'; why: string; durationMs: number }
  /** The rehearsal cannot go on. */
  | { kind: 'stop'; why: string }

interface AskOptions {
  /** The headers that carry the key. */
  headers: Record<string, string>
  timeoutMs: number
  env: Readonly<Record<string, string | undefined>>
}

/** The statuses of a provider that is busy for now. */
const BUSY = new Set([408, 429, 500, 502, 503, 504, 529])

/** The statuses that a provider gives to all requests until the user acts. */
const LOCKED = new Set([401, 402, 403])

/** The most attempts of a call. The wait doubles after each, unless the provider names one. */
const TRIES = 3
const WAIT_MS = 1_000
const MAX_WAIT_MS = 30_000

/** Sends a request to its provider, again if it is busy. Credentials in the response are redacted. */
export async function ask(request: WireRequest, options: AskOptions): Promise<Asked> {
  for (let attempt = 1; ; attempt++) {
    const asked = await askOnce(request, options)
    if (asked.kind !== 'busy') return asked
    if (attempt === TRIES) return { kind: 'stop', why: asked.why }
    await delay(Math.min(asked.waitMs ?? WAIT_MS * 2 ** attempt, MAX_WAIT_MS))
  }
}

async function askOnce(
  { url, method, headers: recorded = {}, body }: WireRequest,
  { headers: key, timeoutMs, env }: AskOptions,
): Promise<Asked | { kind: 'busy'; why: string; waitMs?: number }> {
  // Node's fetch would send it to another model.
  if (recorded.host !== undefined)
    return { kind: 'refused', why: `it names the host ${recorded.host}`, durationMs: 0 }
  const dialect = dialectOf({ url, method, body })
  const headers = {
    'content-type': 'application/json',
    // Anthropic requires a version header, which older releases did not record.
    ...(dialect.name.startsWith('anthropic') ? { 'anthropic-version': '2023-06-01' } : {}),
    ...recorded,
    ...key,
  }
  const signal = AbortSignal.timeout(timeoutMs)
  const began = performance.now()
  let answered: Response
  let bytes: Uint8Array
  try {
    // A redirect must not take the key to another host.
    const init = { method, headers, body: textOf(body), redirect: 'manual', signal } as const
    answered = await fetch(url, init)
    bytes = new Uint8Array(await answered.arrayBuffer())
  } catch (error) {
    return { kind: 'stop', why: `${new URL(url).host} did not answer: ${reasonOf(error as Error)}` }
  }
  const durationMs = Math.round(performance.now() - began)
  const { status } = answered
  const redactor = redactorFor(Object.entries(headers), new URL(url), [], env)
  const response = redactor.response({
    status,
    headers: keepHeaders(answered.headers),
    body: readBody(bytes, answered.headers.get('content-type') ?? ''),
  })
  if (status < 300) return { kind: 'answer', response, durationMs }
  const said = dialect.readCompletion(response).error ?? textOf(response.body)
  const why = `${new URL(url).host} answers ${status}${said ? `: ${layOutLine(quoteStart(said))}` : ''}`
  if (LOCKED.has(status)) return { kind: 'stop', why }
  if (!BUSY.has(status)) return { kind: 'refused', why, durationMs }
  const seconds = Number(answered.headers.get('retry-after') ?? NaN)
  return { kind: 'busy', why, ...(seconds >= 0 ? { waitMs: seconds * 1_000 } : {}) }
}

function reasonOf(error: Error): string {
  if (error.name === 'TimeoutError') return 'its time was up'
  const { cause } = error
  return cause instanceof Error && cause.message ? cause.message : error.message
}
