import type { CallFormat } from '../../prompt/call-places.ts'
import { PROVIDERS } from '../catalogue.ts'

// What ships has these tables as data, and no provider: tooling/provider-tables.ts prints them into this module.

/** The wire formats that name tool calls. */
export const CALL_FORMATS: readonly CallFormat[] = Object.values(PROVIDERS).flatMap(
  ({ calls = [] }) => calls,
)

/** The places of a body at which a request stands: itself, one of a batch, one that a gateway gets. */
export const CALL_ROOTS: readonly string[] = [
  ...new Set(['', ...CALL_FORMATS.flatMap(({ inside = [] }) => inside)]),
  // Cloudflare's gateway gets one request for each provider that it may ask.
  '*.query',
]
