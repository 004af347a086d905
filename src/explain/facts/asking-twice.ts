import { RECORD_COMMAND } from '../../text/command-line.ts'

/** The command that runs the tests of a recording command twice; `undefined` where Vitest does not run them. */
export function askingTwice(command: string): string | undefined {
  const start = `${RECORD_COMMAND} `
  return command.startsWith(start)
    ? `npx vitest-cassette doctor --twice -- ${command.slice(start.length)}`
    : undefined
}
