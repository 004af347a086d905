import { Attempt } from '../attempt/attempt.ts'
import type { Ended, Host } from '../attempt/owner.ts'
import { closesAlone, failing, runInScope } from './scope.ts'
import { loadLater } from '../real/load-later.ts'
import { inRealWorldUntil } from '../real/real-world.ts'

/**
 * The parts of this package that load at their first use. Most test files make no LLM call. Loading is synchronous,
 * since requests are made and answered where nothing can be awaited.
 */
export interface Layers {
  /** Judges requests, and takes LLM calls. */
  calls(): typeof import('./intercept/answer/calls-layer.ts')
  /** Answers requests of LLM libraries that are no LLM calls. */
  beside(): typeof import('./intercept/call/answer-side-request.ts')
  /** Names cassettes. */
  paths(): typeof import('../cassette/paths.ts')
  /** Replays what is asked as it was recorded, by its hash. */
  sealed(): typeof import('./intercept/answer/sealed-layer.ts')
  /** Finds out what answers any other request. */
  replay(): typeof import('./intercept/answer/replay-layer.ts')
  /** Records, refuses and explains LLM calls. */
  engine(): typeof import('./intercept/answer/engine-layer.ts')
  /** Notes the requests of all clients but Node's fetch. */
  requests(): typeof import('./intercept/answer/requests-layer.ts')
  /** Guards connections and processes. */
  connections(): typeof import('./intercept/answer/connections-layer.ts')
  /** Refuses what leaves this machine, where the option `network` closes it. */
  closed(): typeof import('./intercept/guard/closed-layer.ts')
  /** Takes the connections of all clients but fetch. */
  taking(): typeof import('./intercept/connection/open-taker.ts')
  /** MSW's network over connections. */
  network(): typeof import('./intercept/http/network.ts')
  /** Talks over the WebSockets of models. */
  sockets(): typeof import('./intercept/websocket/socket-conversation.ts')
  /** Takes the requests of Bun's clients. */
  bun(): typeof import('./intercept/answer/bun-layer.ts')
  /** Answers for the MCP servers that an option names. */
  mcp(): typeof import('./intercept/mcp/mcp-layer.ts')
}

/** The layers of this package as it is built. */
export const layers: Layers = {
  calls: layer('./calls.mjs', () => import('./intercept/answer/calls-layer.ts')),
  beside: layer('./beside.mjs', () => import('./intercept/call/answer-side-request.ts')),
  paths: layer('./paths.mjs', () => import('../cassette/paths.ts')),
  sealed: layer('./sealed.mjs', () => import('./intercept/answer/sealed-layer.ts')),
  replay: layer('./replay.mjs', () => import('./intercept/answer/replay-layer.ts')),
  engine: layer('./engine.mjs', () => import('./intercept/answer/engine-layer.ts')),
  requests: layer('./requests.mjs', () => import('./intercept/answer/requests-layer.ts')),
  connections: layer('./connections.mjs', () => import('./intercept/answer/connections-layer.ts')),
  closed: layer('./closed.mjs', () => import('./intercept/guard/closed-layer.ts')),
  taking: layer('./taking.mjs', () => import('./intercept/connection/open-taker.ts')),
  network: layer('./network.mjs', () => import('./intercept/http/network.ts')),
  sockets: layer(
    './socket-conversation.mjs',
    () => import('./intercept/websocket/socket-conversation.ts'),
  ),
  bun: layer('./bun-entrances.mjs', () => import('./intercept/answer/bun-layer.ts')),
  mcp: layer('./mcp.mjs', () => import('./intercept/mcp/mcp-layer.ts')),
}

/** A layer whose absence fails the test, also where the application swallows the error. */
function layer<Layer>(file: string, preload: () => Promise<Layer>): () => Layer {
  return failing(loadLater(file, preload))
}

/** The host that opens and closes attempts. */
export function hostOn({
  sealed,
  replay,
  engine,
}: Pick<Layers, 'sealed' | 'replay' | 'engine'>): Host {
  const host: Host = {
    onlyReplayed: (session) => replay().onlyReplayed(session),
    open: (owner, config, from, params) =>
      replay().openSession(owner, config, engine, from, params),
    openSealed: (owner, config, params) => sealed().openSealed(owner, config, params, replay),
    close(open, outcome) {
      const close = (): Promise<Ended> =>
        engine().closeAttempt(open, outcome, (inner, run) => {
          const { owner, session } = inner
          return runInScope(new Attempt(owner, session.config, { ...host, open: () => inner }), run)
        })
      return closesAlone() ? inRealWorldUntil(close) : close()
    },
  }
  return host
}
