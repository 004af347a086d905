import { type CallPlace, callPlacesOf } from '../prompt/call-places.ts'
import { CALL_FORMATS, CALL_ROOTS } from './tables/calls.ts'

/**
 * The places of call ids in the body of a request, or in a line of it, from the outermost object inwards. A call and its
 * result are both here or neither is, since otherwise a result could change its call unseen.
 */
export const REQUEST: CallPlace = callPlacesOf(CALL_FORMATS, CALL_ROOTS)
