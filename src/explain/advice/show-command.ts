import { withoutSecrets } from '../../secrets/without-secrets.ts'
import { layOutLine } from '../../text/printable.ts'

/** How much of a command line is shown, in UTF-16 units. */
const MAX_COMMAND = 120

/** The command line of a program that asked, without secrets, as one short line. */
export function showCommand(command: string): string {
  const line = withoutSecrets(layOutLine(command))
  return line.length > MAX_COMMAND ? `${line.slice(0, MAX_COMMAND - 1)}…` : line
}
