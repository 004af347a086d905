import { shared } from '../real/shared.ts'

/** The test file that runs, where a reporter of the run reads what it has to say. */
export const listener: { meta?: { said?: string[] } | undefined } = shared('said')

/** Says something to the user beside failures. A suite can forbid its tests to print, so the run prints it at its end. */
export function say(text: string): void {
  const { meta } = listener
  if (meta) (meta.said ??= []).push(text)
  else console.warn(text)
}
