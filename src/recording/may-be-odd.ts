import type { Exchange } from '../cassette/cassette.ts'

/** Whether somebody may have to look at an answer. Told apart by what else is there: `odd-answers.ts`, which loads then. */
export function mayBeOdd({ response, wire }: Exchange): boolean {
  const { error, incomplete, finish_reasons, usage } = response
  const isEmpty = response.text === '' && !finish_reasons && !usage
  return isEmpty || error !== undefined || !!incomplete || (wire?.response?.status ?? 0) >= 400
}
