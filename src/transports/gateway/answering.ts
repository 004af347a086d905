import { shared } from '../../real/shared.ts'
import type { Gateways } from '../child-environment.ts'

/** The gateways that answer the children of this process, shared by all copies of this package. */
// A page has no process: what is not used there is left out of its bundle.
export const answering: { gateways?: Gateways } = /* @__PURE__ */ shared('gateways')
