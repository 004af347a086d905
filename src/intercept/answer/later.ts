import type { WireRequest, WireResponse } from '../../wire/message.ts'
import type { Session } from '../../engine/session.ts'
import type { LlmCall } from '../call/llm-call.ts'
import type { PlainRequest } from '../call/plain-request.ts'
import type { WholeRequest } from '../call/whole-request.ts'
import type { TestScope } from '../context/scope.ts'
import type { Stamp } from '../context/stamp.ts'
import type { NetworkAnswers } from '../http/network.ts'
import type { Handshake } from '../websocket/socket-server.ts'
import type { JudgedCall } from './judged-call.ts'

/**
 * What is loaded when it is needed, and at once: most test files ask no model, and requests are made and
 * answered where nothing can be waited for.
 */
export interface Later {
  replay(): Replay
  engine(): Engine
  network(): Network
}

/** Answers a cassette's own words. */
export interface Replay {
  answerAtOnce(request: PlainRequest, scope: TestScope, later: Later): Response | undefined
  answerLlmCall(
    read: () => WholeRequest | Promise<WholeRequest>,
    call: JudgedCall,
    later: Later,
  ): Promise<Response | undefined>
}

/** Answers all other LLM calls. */
export interface Engine {
  answerFromSession(
    request: WholeRequest,
    read: WireRequest,
    call: JudgedCall,
  ): Promise<Response | undefined>
  answerSocket(handshake: Handshake, stamp: Stamp): Promise<void>
  isLlmCall(judged: LlmCall, wire: WireRequest): boolean
  replayAtOnce(session: Session, wire: WireRequest, order: number): WireResponse | undefined
  sendUpstream(request: WholeRequest): Promise<Response>
}

/** Opens MSW's network over the socket. */
export interface Network {
  openNetwork(answers: NetworkAnswers): () => void
}
