// Loaded when a connection leaves this process, a process is started, or answers are followed: `layers.ts` names it.
export { baseUrlFor, gatewayBaseFor, VISITOR_HEADER } from '../../address.ts'
export { followAnswers } from '../context/follow-promises.ts'
export { refuseSocket } from '../guard/refuse-socket.ts'
export { guardWires } from '../guard/guard-wire.ts'
export { rulesOfTests, tunnelsOfTests } from '../guard/test-rules.ts'
