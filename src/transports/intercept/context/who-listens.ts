// Built as a file of its own: it loads where somebody listens at an address of this machine that may be that of a model.
import { builtin } from '../../../real/builtin.ts'
import { isOfInterface } from '../guard/own-addresses.ts'
import { GUARD_VARIABLE } from '../guard/guard-variable.ts'
import { askSystem } from './ask-system.ts'

/** A port of this machine at which somebody listens. */
export interface Port {
  url: URL
  number: number
  /** The numbers of the sockets that listen there; `undefined` where the system does not tell them in a file. */
  sockets?: readonly string[]
  /** Whether a server of this thread has listened there. */
  isNoted: boolean
  /** Whether its host can only be this machine. */
  isLoopback: boolean
  /** The process that began the run. */
  first: number
}

/** What it uses of Node, which a test can have faked. */
export interface Real {
  readdirSync(folder: string): string[]
  readFileSync(path: string): Buffer
  readlinkSync(path: string): string
  /** Starts a program that is none of the test's. */
  outside<Result>(start: () => Result): Result
}

/** Whether a socket is of this run, by its number, which no other one gets while it is open. */
const known = new Map<string, boolean>()

/** Whether a process of this run listens there. Where the system does not tell, no. */
export function isOfRun(port: Port, real: Real): boolean {
  if (!port.isLoopback && !isOfInterface(port.url, builtin('node:os'))) return false
  if (port.isNoted) return true
  if (!port.sockets) return askSystem(port.number, port.first, real.outside)
  for (const socket of port.sockets) {
    const isOwn = known.get(socket) ?? isHeldByRun(socket, port.first, real)
    known.set(socket, isOwn)
    if (isOwn) return true
  }
  return false
}

/** Whether a process has a socket that lies below that of the run, or has its guard: what began it can have ended. */
function isHeldByRun(socket: string, first: number, real: Real): boolean {
  const parents = new Map<string, string>()
  for (const pid of look(real.readdirSync, '/proc') ?? []) {
    // The name of a program, in parentheses, can hold spaces.
    const stat = look(real.readFileSync, `/proc/${pid}/stat`) ?? ''
    const [, parent = '0'] = /^.*\) \w (\d+) /s.exec(String(stat)) ?? []
    if (/^\d/.test(pid)) parents.set(pid, parent)
  }
  for (const pid of parents.keys()) {
    let above: string | undefined = pid
    while (above && above !== String(first)) above = parents.get(above)
    const environment = above ? '' : String(look(real.readFileSync, `/proc/${pid}/environ`))
    if (!above && !environment.includes(`${GUARD_VARIABLE}={`)) continue
    for (const name of look(real.readdirSync, `/proc/${pid}/fd`) ?? [])
      if (look(real.readlinkSync, `/proc/${pid}/fd/${name}`) === `socket:[${socket}]`) return true
  }
  return false
}

/** What is at a path; `undefined` where a process has ended, or is none of this user's. */
function look<Found>(read: (path: string) => Found, path: string): Found | undefined {
  try {
    return read(path)
  } catch {
    return undefined
  }
}
