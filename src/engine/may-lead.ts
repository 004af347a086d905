import { isSaidByModel } from '../providers/provider-paths.ts'
import { remember } from '../remember.ts'
import { LEADING_HEADERS } from '../wire/headers.ts'
import type { WireResponse } from '../wire/message.ts'

/** The parts of an answer that can name an address. */
export type Naming = Pick<WireResponse, 'status' | 'headers' | 'body'>

/** Whether an answer of a URL can lead anywhere. */
export function mayLead(url: string, headers: Naming['headers']): boolean {
  return LEADING_HEADERS.some((name) => headers[name]) || !isSaidAt(url)
}

/** The addresses that headers name. */
export function leading(headers: Naming['headers']): string[] {
  return LEADING_HEADERS.flatMap((name) => headers[name] || [])
}

/** Whether a model writes the answers of a URL. Their bodies are not searched for addresses. */
export const isSaidAt = remember((url): boolean => {
  const address = URL.parse(url)
  return !address || isSaidByModel(address)
})
