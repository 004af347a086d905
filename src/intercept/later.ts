/**
 * What is loaded when it is needed, and at once: most test files ask no model, and requests are made and
 * answered where nothing can be waited for.
 */
export interface Later {
  /** What answers a cassette's own words. */
  replay(): Replay
  /** What answers all other LLM calls. */
  engine(): Engine
  /** MSW's network over the socket. */
  network(): Network
}

/** The part of a replay that interception uses. */
export type Replay = Pick<typeof import('./answer-at-once.ts'), 'answerAtOnce'> &
  Pick<typeof import('./answer-llm-call.ts'), 'answerLlmCall'>

/** The part of the engine that interception uses. */
export type Engine = Pick<typeof import('./answer-from-session.ts'), 'answerFromSession'> &
  Pick<typeof import('./answer-socket.ts'), 'answerSocket'> &
  Pick<typeof import('./is-llm-call.ts'), 'isLlmCall'> &
  Pick<typeof import('../engine/replay-at-once.ts'), 'replayAtOnce'> &
  Pick<typeof import('./upstream.ts'), 'sendUpstream'>

type Network = typeof import('./network.ts')
