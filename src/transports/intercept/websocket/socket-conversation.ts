import { web } from '../../../real/web.ts'
import type { WebSocket } from 'ws'
import { loadExplain } from '../../../attempt/load-explain.ts'
import { OF_BYTES, readIncoming, type Incoming } from '../../../engine/incoming.ts'
import type { WireRequest } from '../../../wire/message.ts'
import type { Answer, RecordAnswer } from '../../../engine/session-contract.ts'
import type { Session } from '../../../engine/session.ts'
import { CassetteError } from '../../../errors.ts'
import { callLater, nextTurn, realNow, waitFor } from '../../../real/clock.ts'
import { redactorFor, type Redactor } from '../../../secrets/redactor.ts'
import { keepAskingHeaders } from '../../../providers/asking-headers.ts'
import { framesAnswer, framesOf, frameBody, type SocketFrame } from '../../../wire/socket-frames.ts'
import { textOf, type Body } from '../../../wire/body.ts'
import { digestIn, keptUrl } from '../../../secrets/wire-request.ts'
import { REFUSAL_MARK } from '../../refuse.ts'
import { Patience } from '../answer/read-along.ts'
import { dial } from './socket-upstream.ts'
import { sendFrame, toFrame, type Handshake } from './socket-server.ts'
import type { RequestContext } from '../context/request-context.ts'
import { keepUrl } from '../../../wire/url.ts'
import { closeWhenAnswered, markSent } from '../../open-requests.ts'
import { reportOutsideTest } from '../context/report-outside-test.ts'

/** The close code for a policy violation. */
const REFUSED = 1008

/** Milliseconds. A server that is silent for so long has probably answered. */
const SILENCE_MS = 500

/** The record of a handshake that was not answered, with the status that servers log. */
const NOTHING = { status: 499, headers: {}, body: { kind: 'empty' } } as const

/** Milliseconds that a server may take before its first frame to a message. After a handshake it need not send any. */
const FIRST_WORD_MS = 4_000

/** Answers a client that opens a WebSocket to a model. */
export async function answerSocket(handshake: Handshake, context: RequestContext): Promise<void> {
  markSent(context.open)
  await closeWhenAnswered(context.open, answerHandshake(handshake, context))
}

async function answerHandshake(handshake: Handshake, context: RequestContext): Promise<void> {
  const { scope, callSite } = context
  if (typeof scope === 'object')
    return new SocketConversation(handshake, scope.session, context).open()
  const url = keepUrl(new URL(handshake.url), () => '')
  reportOutsideTest({ method: 'GET', url, body: { kind: 'empty' } }, callSite)
  handshake.reject()
}

/**
 * A WebSocket as a conversation: the handshake and each frame of the client is a request that follows the one before.
 * Its answer is all that the server sends until the client's next frame.
 */
class SocketConversation {
  readonly #handshake: Handshake
  readonly #session: Session
  readonly #context: RequestContext
  readonly #url: string
  readonly #headers: ReturnType<typeof keepAskingHeaders>
  readonly #redactor: Redactor
  /** The latest frame of the client. Its hash covers all frames before it. */
  #last?: Incoming
  #client?: WebSocket
  #upstream?: WebSocket
  /** Takes the frames of the server, while it is recorded. */
  #hear: (frame: SocketFrame) => void = () => {}
  /** Ends the answer that is being recorded. */
  #endAnswer: () => void = () => {}
  /** Set once a frame was refused. Later frames of the client follow from the refusal. */
  #refused = false
  /** Settles when all frames so far are sent to the client. */
  #sending: Promise<void> = Promise.resolve()

  constructor(handshake: Handshake, session: Session, context: RequestContext) {
    this.#handshake = handshake
    this.#session = session
    this.#context = context
    const url = new URL(handshake.url)
    const headers = new web.Headers(handshake.headers as Record<string, string>)
    const digest = digestIn(url.href, headers)
    this.#url = keptUrl(url.href, digest)
    this.#headers = keepAskingHeaders(headers, digest, url.href)
    this.#redactor = session.params.around(
      redactorFor(headers, url, session.config.redact, process.env, session),
    )
  }

  /** Opens the socket with the answer of the cassette or of the provider. */
  async open(): Promise<void> {
    const answer = this.#ask('GET', this.#headers, { kind: 'empty' }, this.#context.order)
    if (answer?.action === 'record') return this.#openUpstream(answer)
    // The provider never answered the handshake, so a replay does not either.
    if (answer?.action === 'replay' && answer.response.aborted !== undefined) return
    if (answer?.action === 'replay' && answer.response.status !== 200)
      return this.#handshake.reject(answer.response.status, textOf(answer.response.body))
    this.#accept()
    if (answer) this.#follow(answer)
  }

  async #openUpstream(answer: RecordAnswer): Promise<void> {
    const { recording, done } = answer
    const { promise: kept, resolve } = Promise.withResolvers<void>()
    const patience = new Patience(recording)
    done(kept)
    const dialling = dial(this.#handshake)
    const dialled = await patience.waitFor(dialling)
    patience.end()
    if (!dialled) {
      void dialling.then((late) => 'socket' in late && late.socket.terminate())
      recording.response = { ...NOTHING, aborted: 'before-headers' }
      return resolve(recording.keep())
    }
    if ('error' in dialled) {
      recording.error = dialled.error
      resolve()
      return this.#handshake.reject()
    }
    if ('refusal' in dialled) {
      recording.response = this.#redactor.response(dialled.refusal)
      resolve(recording.keep())
      await kept
      return this.#handshake.reject(dialled.refusal.status, textOf(dialled.refusal.body))
    }
    this.#record(answer)
    resolve()
    this.#upstream = dialled.socket
    this.#accept()
    dialled.listen((frame) => {
      this.#hear(frame)
      if (this.#isOpen) sendFrame(this.#client!, frame)
    })
    this.#client!.on('close', () => dialled.socket.close())
  }

  #accept(): void {
    this.#handshake.accept((client) => {
      this.#client = client
      client.on('error', () => {})
      client.on('message', (data, isBinary) => this.#receive(toFrame(data, isBinary)))
    })
  }

  #receive(frame: SocketFrame): void {
    if (this.#refused) return
    const headers = 'bytes' in frame ? { headers: OF_BYTES } : {}
    const order = this.#handshake.orderOfMessage()
    const answer = this.#ask('SEND', headers, frameBody(frame), order)
    if (answer) this.#follow(answer)
    if (this.#upstream && answer && answer.action !== 'refuse') sendFrame(this.#upstream, frame)
  }

  #ask(
    method: string,
    headers: Pick<WireRequest, 'headers'>,
    body: Body,
    order: number,
  ): Answer | undefined {
    try {
      const wire = this.#redactor.request({ method, url: this.#url, ...headers, body })
      const { volatile } = this.#session.config
      this.#last = readIncoming(wire, { volatile, before: this.#last })
      const { callSite, askedBy } = this.#context
      return this.#session.answer(this.#last, { order, callSite, askedBy, way: 'client' })
    } catch (error) {
      if (!CassetteError.isInstance(error)) throw error
      this.#session.reject(error)
      this.#refuse(error.message)
      return undefined
    }
  }

  #follow(answer: Answer): void {
    switch (answer.action) {
      case 'replay':
        return void (this.#sending = this.#sending
          .then(() => (answer.delayMs > 0 ? waitFor(answer.delayMs) : undefined))
          .then(() => this.#play(framesOf(answer.response))))
      case 'refuse':
        return this.#refuse(loadExplain().explainBriefly(this.#session, answer.miss))
      case 'record':
        if (this.#upstream) return this.#record(answer)
        this.#session.reject(leftRecording(this.#url))
        return this.#refuse(leftRecording(this.#url).message)
    }
  }

  /**
   * Collects the frames of the server from now on as the answer of a recording. The answer ends when the client sends
   * again, when the socket closes, or after a silence. Frames after that silence still belong to it.
   */
  #record({ recording, done }: RecordAnswer): void {
    this.#endAnswer()
    const frames: SocketFrame[] = []
    const started = realNow()
    const redactor = this.#redactor
    const { status, headers } = framesAnswer(frames)
    recording.response = {
      status,
      headers,
      get body() {
        return redactor.response(framesAnswer(frames)).body
      },
    }
    const { promise: kept, resolve } = Promise.withResolvers<void>()
    const keep = (): void => {
      patience.end()
      resolve(recording.keep())
    }
    const patience = new Patience(recording, keep)
    done(kept)
    // A process that was held up reads what has arrived only after its timers.
    const keepIfSilent = async (): Promise<void> => {
      const heard = frames.length
      await nextTurn()
      if (frames.length === heard) keep()
    }
    const isAsked = recording.incoming.wire.method !== 'GET'
    let goOn = callLater(isAsked ? FIRST_WORD_MS : SILENCE_MS, keepIfSilent)
    this.#endAnswer = () => {
      goOn()
      keep()
    }
    this.#hear = (frame) => {
      frames.push(frame)
      recording.durationMs = Math.round(realNow() - started)
      goOn()
      if ('close' in frame) return keep()
      goOn = callLater(SILENCE_MS, keepIfSilent)
    }
  }

  async #play(frames: SocketFrame[]): Promise<void> {
    for (const frame of frames) {
      await nextTurn()
      if (!this.#isOpen) return
      sendFrame(this.#client!, frame)
    }
  }

  #refuse(text: string): void {
    this.#refused = true
    const reason = `${REFUSAL_MARK} ${text.split('\n')[0]}`
    const close = { code: REFUSED, reason: cutToBytes(reason, 123) }
    this.#sending = this.#sending.then(() => this.#play([{ close }]))
    this.#upstream?.close()
  }

  get #isOpen(): boolean {
    return this.#client?.readyState === this.#client?.OPEN
  }
}

/** Cuts a text to the bytes that a close frame has room for. */
function cutToBytes(text: string, length: number): string {
  const bytes = Buffer.from(text)
  return bytes.length <= length
    ? text
    : `${bytes
        .subarray(0, length - 6)
        .toString()
        .replace(/\uFFFD+$/, '')}…`
}

function leftRecording(url: string): CassetteError {
  return new CassetteError(
    'miss',
    `The conversation on the socket ${url} left its recording\n` +
      'A socket that is replayed cannot be continued live. Record the whole conversation again:',
  )
}
