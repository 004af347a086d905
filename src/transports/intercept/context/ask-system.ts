import { builtin } from '../../../real/builtin.ts'

/** Milliseconds for which an answer of the system is taken again: to ask it takes a program. */
const FRESH = 1000

const answers = new Map<number, { at: number; isOwn: boolean }>()

const WINDOWS_PROCESSES =
  'Get-CimInstance Win32_Process | ForEach-Object { "$($_.ProcessId) $($_.ParentProcessId)" }'

/**
 * Whether a process that lies below the first one of the run listens on a port, by what programs of macOS or Windows
 * print.
 *
 * @param outside starts a program that is none of the test's
 */
export function askSystem(
  port: number,
  first: number,
  outside: <Result>(start: () => Result) => Result,
): boolean {
  const known = answers.get(port)
  const now = performance.now()
  if (known && (known.isOwn || now - known.at < FRESH)) return known.isOwn
  const { spawnSync } = builtin('node:child_process')
  const options = { encoding: 'utf8', windowsHide: true, timeout: 10_000 } as const
  const tell = (program: string, ...args: string[]): string =>
    outside(() => spawnSync(program, args, options)).stdout ?? ''
  const isWindows = process.platform === 'win32'
  const pids = isWindows
    ? pidsInNetstat(tell('netstat', '-ano', '-p', 'TCP'), port)
    : pidsInLsof(tell('lsof', '-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fp'))
  const tellParents = (): string =>
    isWindows
      ? tell('powershell', '-NoProfile', '-Command', WINDOWS_PROCESSES)
      : tell('ps', '-axo', 'pid=,ppid=')
  const isOwn = pids.length > 0 && isBelow(pids, first, tellParents())
  answers.set(port, { at: now, isOwn })
  return isOwn
}

/** The processes in the output of `netstat -ano` that listen on a port: their other end has the port 0. */
export function pidsInNetstat(text: string, port: number): number[] {
  const rows = text.matchAll(/^\s*TCP\s+\S+:(\d+)\s+\S+:0\s+\S+\s+(\d+)\s*$/gm)
  return Array.from(rows, ([, at, pid]) => (Number(at) === port ? Number(pid) : 0)).filter(Boolean)
}

/** The processes in the output of `lsof -Fp`. */
export function pidsInLsof(text: string): number[] {
  return Array.from(text.matchAll(/^p(\d+)$/gm), ([, pid]) => Number(pid))
}

/**
 * Whether one of some processes is the first one of the run, or lies below it.
 *
 * @param table a row for each process: its number, and that of the one that began it
 */
export function isBelow(pids: readonly number[], first: number, table: string): boolean {
  const rows = table.matchAll(/^\s*(\d+)\s+(\d+)\s*$/gm)
  const parents = new Map(Array.from(rows, ([, pid, parent]) => [Number(pid), Number(parent)]))
  return pids.some((pid) => {
    // Windows gives the number of a process that has ended to the next one: there can be circles.
    const seen = new Set<number>()
    for (let one: number | undefined = pid; one && !seen.has(one); one = parents.get(one)) {
      if (one === first || one === process.pid) return true
      seen.add(one)
    }
    return false
  })
}
