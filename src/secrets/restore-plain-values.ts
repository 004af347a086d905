import type { JsonValue } from '../json/json-value.ts'
import { rewrite } from '../json/walk.ts'
import { holdsText, MAY_BE_PLACEHOLDER } from '../text/holds-text.ts'
import type { Body } from '../wire/body.ts'
import { harmlessFor } from './harmless-token.ts'
import type { WireRequest, WireResponse } from '../wire/message.ts'
import { mapServersIn, plainPlaceholder } from './find/map-servers.ts'
import { loadLabels } from './notes/load-labels.ts'
import { loadRedactions } from './redactions.ts'

/**
 * Puts back the values of placeholders that are no secrets in this environment: `OPENAI_API_KEY=test` on CI, or a key
 * that is lent. Such a value stays in incoming requests, since a prompt can well contain it; so a recording with a
 * real key matches only with the value put back. Returns the same request if there are none.
 */
export function restorePlainValues(
  wire: WireRequest,
  env: Record<string, string | undefined>,
): WireRequest {
  if (!holdsText(wire.body, MAY_BE_PLACEHOLDER)) return wire
  return loadRedactions().restored(wire, env)
}

/**
 * A body with equal placeholders for equal fields, whatever is known of the credentials that the provider sends to other
 * servers: what is known differs between machines, and `differingCredential` compares it. Returns the same body where
 * it has none.
 */
export function withPlainCredentials(body: Body): Body {
  return mapServersIn(body, plainPlaceholder)
}

/** A credential for another server that cannot be the recorded one. */
export type DifferingCredential = { path: string } & (
  | { recorded: string; now: string; other?: undefined }
  | { other: string; areSame: boolean }
)

/** The first credential for another server that cannot be the recorded one, in two requests that are equal otherwise. */
export function differingCredential(recorded: Body, asked: Body): DifferingCredential | undefined {
  return holdsText(recorded, MAY_BE_PLACEHOLDER) && holdsText(asked, MAY_BE_PLACEHOLDER)
    ? loadLabels().compareCredentials(recorded, asked)
    : undefined
}

/** Whether a request that is recorded anew says another thing, or more, of its credentials than the equal old one. */
export function knowsOtherCredentials(old: Body, fresh: Body): boolean {
  return holdsText(fresh, MAY_BE_PLACEHOLDER) && loadLabels().hasOtherCredentials(old, fresh)
}

/** The placeholders that `redactFields` puts into fields of an answer. */
const FIELDS =
  /^<REDACTED:(access_token|authorization|authorization_token|client_secret|code|device_code|id_token|refresh_token|value)>$/

/**
 * The answer for a client: each redacted field gets a harmless value in the form of a real one, since some clients
 * refuse a placeholder. If a client sends it back, it is redacted again. Returns the same answer if there is no such
 * field.
 */
export function showHarmless(response: WireResponse): WireResponse {
  const { body } = response
  if (body.kind !== 'json' || !holdsText(body, MAY_BE_PLACEHOLDER)) return response
  const value = show(body.value)
  return value === body.value ? response : { ...response, body: { ...body, value } }
}

function show(value: JsonValue): JsonValue {
  return rewrite(value, (text) => {
    const isShown = typeof text === 'string' && MAY_BE_PLACEHOLDER.test(text)
    const field = isShown ? FIELDS.exec(text)?.[1] : undefined
    return field === undefined ? undefined : harmlessFor(field)
  })
}
