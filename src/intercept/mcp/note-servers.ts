import type { ChildProcess } from 'node:child_process'
import { noteOther } from '../context/seen-servers.ts'

/** What somebody says first to an MCP server. */
const FIRST_WORDS = /^\s*\{.*"jsonrpc"/s

/** Takes note of a process that turns out to be an MCP server, when it is spoken to. */
export function noteServers(child: ChildProcess, command: string): void {
  // When it has its streams, and before whoever started it hears of that.
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
