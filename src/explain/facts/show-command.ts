import { safe } from '../../secrets/notes.ts'
import { layOutLine } from '../../text/printable.ts'

/** How much of the start, and of the end, of a long command line is shown, in UTF-16 units: its last words tell most. */
const [MAX_START, MAX_END] = [80, 40]

/** The command line of a program that asked, without secrets, as one short line. */
export function showCommand(command: string): string {
  const line = layOutLine(safe(command))
  const isLong = line.length > MAX_START + MAX_END
  return isLong ? `${line.slice(0, MAX_START)}…${line.slice(-MAX_END)}` : line
}

/** Says which program asked, behind a request; empty where the test itself did. */
export function askedByText(command: string | undefined): string {
  return command === undefined ? '' : `, asked by ${showCommand(command)}`
}
