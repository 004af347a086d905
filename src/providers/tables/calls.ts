import type { CallFormat } from '../../prompt/call-places.ts'
import { PROVIDERS } from '../catalogue.ts'

// What ships has this table as data, and no provider: tooling/provider-tables.ts prints it into this module.

/** The wire formats that name tool calls. */
export const CALL_FORMATS: readonly CallFormat[] = Object.values(PROVIDERS).flatMap(
  ({ calls = [] }) => calls,
)
