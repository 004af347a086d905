import type { ChildProcess } from 'node:child_process'
import { noteOther } from '../../reports.ts'

/** The first message of a client to an MCP server. */
const FIRST_WORDS = /^\s*\{.*"jsonrpc"/s

/** Notes a process as an MCP server when the first message to it is one of MCP. */
export function noteServers(child: ChildProcess, command: string): void {
  // The streams exist from here on, and the program has not written to them yet.
  process.nextTick(() => {
    const { stdin } = child
    if (!stdin) return
    const { write } = stdin
    stdin.write = (...args: unknown[]) => {
      stdin.write = write
      if (FIRST_WORDS.test(String(args[0]))) noteOther(command)
      return Reflect.apply(write, stdin, args) as boolean
    }
  })
}
