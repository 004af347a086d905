import { type FoundBase64, hashBase64 } from './base64.ts'
import { kindOfFile } from './file-kinds.ts'

/** The mark for a long base64 text, which only people read: the prompt hash is that of the text itself. */
export function markOfBase64({ prefix, hash }: FoundBase64): string {
  return `\u0000base64:${prefix}${hash}`
}

/** Whether a long base64 text is a picture, whose pixels can be compared. */
export function isPicture({ base64 }: FoundBase64): boolean {
  return kindOfFile(base64)?.picture !== undefined
}

/** The mark for a text that is a picture, of which only the kind counts; `undefined` for any other text. */
export function markOfPicture(text: string): string | undefined {
  const found = hashBase64(text)
  return found && isPicture(found) ? `\u0000picture:${found.prefix}` : undefined
}
