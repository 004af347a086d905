import type { ChildProcess } from 'node:child_process'
import { basename, isAbsolute, relative } from '../../../real/path.ts'
import { isWithin } from '../../../config/paths.ts'
import { noteOther } from '../../reports.ts'
import { timers } from '../../../real/clock.ts'

/** The arguments of a process, as all functions that start one normalize them. */
export interface Start {
  file?: string
  args?: string[]
  envPairs?: string[]
  stdio?: unknown
}

/** The part of a path before the name of an installed package. */
const INSTALLED = /^.*[\\/]node_modules[\\/]/

/** A command as its author would write it: paths relative to the working directory, programs of the system by name. */
export function commandOf({ file = '', args = [] }: Start): string {
  // The first argument is the name of the program once more.
  return [file, ...args.slice(1)].map(written).join(' ')
}

function written(word: string): string {
  if (!isAbsolute(word)) return word
  if (word === process.execPath) return 'node'
  if (INSTALLED.test(word)) return word.replace(INSTALLED, '')
  return isWithin(process.cwd(), word) ? relative(process.cwd(), word) : basename(word)
}

/** The environment of a process. On Windows, names can begin with `=`. */
export function environmentOf({ envPairs = [] }: Start): Record<string, string> {
  return Object.fromEntries(
    envPairs.map((pair) => {
      const at = pair.indexOf('=', 1)
      return [pair.slice(0, at), pair.slice(at + 1)]
    }),
  )
}

/** The environment of a process, in the form in which a process is started. */
export function envPairsOf(env: NodeJS.ProcessEnv): string[] {
  return Object.entries(env).map(([name, value]) => `${name}=${value}`)
}

/** Whether a client can talk to a process: by its standard input and output, and not by Node's IPC. */
export function isPiped(start: Start): boolean {
  const [input, output, , ...more] = pipesOf(start)
  return input === 'pipe' && output === 'pipe' && !more.includes('ipc')
}

/** The kinds of the standard streams of a process. */
export function pipesOf({ stdio = 'pipe' }: Start): unknown[] {
  const all = Array.isArray(stdio) ? (stdio as unknown[]) : [stdio, stdio, stdio]
  return all.map((one) => (one === 'overlapped' || one == null ? 'pipe' : one))
}

/** The first message of a client to an MCP server. */
const FIRST_WORDS = /^\s*\{.*"jsonrpc"/s

/** Notes a process as an MCP server when the first message to it is one of MCP. */
export function noteServers(child: ChildProcess, command: string): void {
  // The streams exist from here on, and the program has not written to them yet.
  timers.nextTick(() => {
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
