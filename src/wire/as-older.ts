import { tryParseJson } from '../json/json-value.ts'
import { KEPT_BY_1_2, READ_BY_DIALECTS } from './headers.ts'
import { jsonOf, type Body } from './body.ts'
import type { FormPart } from './form-data.ts'
import type { Older, WireRequest } from './message.ts'

/** The headers that older releases kept. Those that a dialect reads, which name models, are never let go. */
const KEPT = { true: READ_BY_DIALECTS, '1.2': KEPT_BY_1_2, headers: READ_BY_DIALECTS }

/** Whether the release kept less than this one of the rest of a request too. */
export function keptLess(older: Older | undefined): older is Exclude<Older, 'headers'> {
  return older !== undefined && older !== 'headers'
}

/**
 * A request as older releases kept it. Those with format 1.0 kept the headers that a dialect reads, and no headers of
 * the parts of a form. Those up to 1.2 kept some more headers, and read JSON wherever a text was JSON. The rest cannot
 * be compared with their recordings.
 */
export function asOlder({ headers = {}, ...rest }: WireRequest, older: Older): WireRequest {
  const kept = Object.entries(headers).filter(([name]) => KEPT[`${older}`].includes(name))
  return {
    ...rest,
    ...(kept.length > 0 ? { headers: Object.fromEntries(kept) } : {}),
    older,
    body: keptLess(older) ? bodyAsOlder(rest.body, older) : rest.body,
  }
}

function bodyAsOlder(body: Body, older: Older): Body {
  if (body.kind === 'form') {
    const parts = body.parts.map((part) => partAsOlder(part, older))
    return { ...body, parts }
  }
  const value = body.kind === 'text' ? jsonOf(body) : undefined
  const isRead = typeof value === 'object' && value !== null
  return isRead ? { kind: 'json', value, layout: {} } : body
}

function partAsOlder(part: FormPart, older: Older): FormPart {
  const { headers, text, ...rest } = part
  const value = typeof text === 'string' ? tryParseJson(text) : undefined
  const isRead = typeof value === 'object' && value !== null
  return {
    ...rest,
    ...(headers === undefined || older === true ? {} : { headers }),
    ...(isRead ? { json: value } : text === undefined ? {} : { text }),
  }
}
