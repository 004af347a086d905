import pc from 'picocolors'
import { disarm } from '../diff/render/printable.ts'

/** `test`, `cassette` and other labels in one column. */
export function labelled(label: string, text: string, color: boolean): string {
  return `  ${pc.createColors(color).dim(label.padEnd(9))} ${disarm(text)}`
}
