import { harmless } from '../../diff/render/harmless.ts'

/** A text as one harmless line. */
export function layOutLine(text: string): string {
  return harmless(text).replaceAll('\n', '\\n')
}
