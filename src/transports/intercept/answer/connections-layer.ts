// Loaded when a connection is opened that is not by fetch, or a process is started: `layers.ts` names it.
export { guardWires } from '../guard/guard-wire.ts'
export { answerTunnel, rulesOfTests } from '../guard/test-rules.ts'
export { bridgeHttp2 } from '../http/http2-bridge.ts'
export { serveSocket } from '../websocket/socket-server.ts'
