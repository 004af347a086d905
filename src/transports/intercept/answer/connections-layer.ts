// Loaded when a connection is opened or a request made that is not by fetch, a process is started, or answers are
// followed: `layers.ts` names it.
export { baseUrlFor, gatewayBaseFor, VISITOR_HEADER } from '../../address.ts'
export { requestListeners, takeContext } from '../context/carried-context.ts'
export { followAnswers } from '../context/follow-promises.ts'
export { refuseSocket } from '../guard/refuse-socket.ts'
export { guardWires } from '../guard/guard-wire.ts'
export { rulesOfTests, tunnelsOfTests } from '../guard/test-rules.ts'
export { writeInTurns } from './write-in-turns.ts'
export { bridgeHttp2 } from '../http/http2-bridge.ts'
export { idleListeners } from '../http/idle-connections.ts'
export { bridgeArguments, bridgeUpgrade } from '../websocket/bridge-arguments.ts'
export { serveSocket } from '../websocket/socket-server.ts'
