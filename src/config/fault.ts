type Often = '' | ' once' | ' twice' | ' always' | ` ${number} times`

/** A fault in words. */
export type FaultText =
  | `${number}${Often}`
  | `cut after event ${number}${Often}`
  | `delay ${number}${'ms' | 's'}${Often}`

/** The answers that a fault applies to. */
interface FaultPlace {
  /** How often the fault applies: by default, a delay always, any other fault once. */
  times?: number
  /** The id of one recorded exchange, such as `exchange-2`; by default, the first exchanges replayed. */
  on?: string
}

/**
 * A fault in replayed answers:
 * - `'429 once'`, `{ status: 503, times: 2, retryAfter: 1 }`: an error in the provider's format; `retryAfter` in
 *   seconds
 * - `'cut after event 3'`, `{ cutAfterEvent: 3 }`: the connection breaks in a stream
 * - `'delay 200ms'`, `{ delayMs: 200 }`: the answer begins later
 */
export type Fault =
  | FaultText
  | ({ status: number; retryAfter?: number } & FaultPlace)
  | ({ cutAfterEvent: number } & FaultPlace)
  | ({ delayMs: number } & FaultPlace)

/** A parsed fault. */
export interface ReadFault {
  status?: number
  retryAfter?: number
  cutAfterEvent?: number
  delayMs?: number
  times: number
  on?: string
}

const TEXT =
  /^(?:(?<status>\d{3})|cut after event (?<cut>\d+)|delay (?<delay>\d+(?:\.\d+)?)(?<unit>ms|s))(?: (?<often>once|twice|always|(?<count>\d+) times))?$/

const NAMES = ['status', 'cutAfterEvent', 'delayMs'] as const
const FIELDS: readonly string[] = [...NAMES, 'retryAfter', 'times', 'on']

/** True for a valid fault. */
export function isFault(fault: unknown): fault is Fault {
  return read(fault) !== undefined
}

/** Parses a valid fault. */
export function readFault(fault: Fault): ReadFault {
  return read(fault)!
}

/** A fault as people write it. */
export function spellFault(fault: Fault): string {
  const spelled = JSON.stringify(fault).replace('"times":null', '"times":Infinity')
  return typeof fault === 'string' ? `'${fault}'` : spelled
}

function read(fault: unknown): ReadFault | undefined {
  const form = typeof fault === 'string' ? readText(fault) : fault
  if (typeof form !== 'object' || form === null) return undefined
  if (Object.keys(form).some((name) => !FIELDS.includes(name))) return undefined
  const given = form as Partial<ReadFault>
  const { status, retryAfter, cutAfterEvent, delayMs, on } = given
  const usual = delayMs === undefined ? 1 : Infinity
  // JSON has null for Infinity: that is no number of times.
  const times = given.times === undefined ? usual : given.times
  const isValid =
    NAMES.filter((name) => given[name] !== undefined).length === 1 &&
    (status === undefined || (Number.isInteger(status) && status >= 400 && status <= 599)) &&
    (retryAfter === undefined || (status !== undefined && isCount(retryAfter))) &&
    (cutAfterEvent === undefined || (isCount(cutAfterEvent) && Number.isInteger(cutAfterEvent))) &&
    (delayMs === undefined || isCount(delayMs)) &&
    (on === undefined || typeof on === 'string') &&
    (times === Infinity || (Number.isInteger(times) && times > 0))
  return isValid ? { ...given, times } : undefined
}

function readText(text: string): Partial<ReadFault> | undefined {
  const { status, cut, delay, unit, often, count } = TEXT.exec(text)?.groups ?? {}
  const known: Record<string, number> = { once: 1, twice: 2, always: Infinity }
  const times = count === undefined ? known[often ?? ''] : Number(count)
  const when = times === undefined ? {} : { times }
  if (status) return { status: Number(status), ...when }
  if (cut) return { cutAfterEvent: Number(cut), ...when }
  if (delay) return { delayMs: Number(delay) * (unit === 's' ? 1_000 : 1), ...when }
  return undefined
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && Number.isFinite(value)
}
