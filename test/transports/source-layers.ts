import type { Layers } from '../../src/transports/layers.ts'
import * as engine from '../../src/transports/intercept/answer/engine-layer.ts'
import * as verbatim from '../../src/transports/intercept/answer/verbatim-layer.ts'
import * as beside from '../../src/transports/intercept/call/answer-side-request.ts'
import * as replay from '../../src/transports/intercept/answer/replay-layer.ts'
import * as sockets from '../../src/transports/intercept/websocket/socket-conversation.ts'

/** The layers of the sources, for tests that have no build from which these could load. */
export const sourceLayers: Layers = {
  beside: () => beside,
  verbatim: () => verbatim,
  replay: () => replay,
  engine: () => engine,
  sockets: () => sockets,
} as unknown as Layers
