import { type CallPlace, callPlacesOf } from '../prompt/call-places.ts'
import { CALL_FORMATS } from './tables/calls.ts'

/**
 * The places of call ids in the body of a request, from the outermost object inwards. A call and its result are both
 * here or neither is, since otherwise a result could change its call unseen.
 */
export const REQUEST: CallPlace = callPlacesOf(CALL_FORMATS, ({ inside = [] }) => [
  '',
  ...inside,
  // Cloudflare's gateway gets one request for each provider that it may ask.
  '*.query',
])

/** The places of call ids in a line of JSON lines, which may be one request of a batch. */
export const LINE: CallPlace = callPlacesOf(CALL_FORMATS, ({ inLines = [] }) => ['', ...inLines])
