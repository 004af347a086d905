import type { Recorded } from '../../engine/recorded.ts'
import { printable, quoteStart } from '../../text/printable.ts'
/** One line for one exchange: its id, provider and model, and how its prompt begins. */
export function describeExchange({ exchange }: Recorded): string {
  const { model } = exchange.prompt.metadata
  const text = exchange.prompt.text.replace(/\s+/g, ' ').trim()
  const asked = model === undefined ? '' : `${String(model)} · `
  return printable(`${exchange.id} · ${asked}${quoteStart(text)}`)
}
