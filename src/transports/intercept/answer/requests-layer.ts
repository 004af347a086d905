// Loaded when a client tells of a request that it makes: `layers.ts` names it.
export { requestListeners } from '../context/carried-context.ts'
export { idleListeners } from '../http/idle-connections.ts'
