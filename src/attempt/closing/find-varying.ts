import type { VolatileName } from '../../config/volatile-rule.ts'
import type { Incoming } from '../../engine/incoming.ts'
import type { Session } from '../../engine/session.ts'
import { textsOfJson } from '../../json/walk.ts'
import { CONTENTS } from '../../prompt/canonical.ts'
import { compileRules } from '../../prompt/volatile-rules.ts'
import { textOf } from '../../wire/body.ts'

/** A value of a recorded prompt that the next run, or that of tomorrow, does not have. */
export interface VaryingValue {
  /** The rule that declares it. */
  rule: Extract<VolatileName, 'date-phrase' | 'tmp-path'>
  text: string
}

/** The values of the prompts that a session recorded that vary, where no rule declares them: at most one of a kind a prompt. */
export function findVarying({ asked }: Session, now: Date): VaryingValue[] {
  const days = [
    [now.getFullYear(), now.getMonth(), now.getDate()],
    [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()],
  ] as const
  const [[here], [universal]] = days
  const found: VaryingValue[] = []
  for (const { recording } of asked) {
    if (!recording) continue
    const { incoming } = recording
    const body = textOf(incoming.wire.body)
    // Most prompts hold no such year and no such folder, and are not searched.
    const isDated = body.includes(String(here)) || body.includes(String(universal))
    const date = isDated && firstIn(incoming, 'date-phrase', (text) => isAny(text, days))
    const folder = TEMPORARY.test(body) && firstIn(incoming, 'tmp-path', hasRandomName)
    for (const one of [date, folder]) if (one) found.push(one)
  }
  return found
}

type Day = readonly [year: number, month: number, day: number]

function firstIn(
  { canonical }: Incoming,
  rule: VaryingValue['rule'],
  varies: (text: string) => boolean,
): VaryingValue | undefined {
  const { find } = compileRules([rule])
  // Declared values stand for themselves no more in the body that is compared.
  for (const text of textsOfJson(CONTENTS.map((kind) => canonical[kind] ?? null)))
    for (const { start, end } of find(text)) {
      const value = text.slice(start, end)
      if (varies(value)) return { rule, text: value }
    }
  return undefined
}

function isAny(date: string, days: readonly Day[]): boolean {
  return days.some((day) => isDate(date, day))
}

function isDate(text: string, [year, month, day]: Day): boolean {
  const numbers = Array.from(text.matchAll(/\d+/g), ([digits]) => Number(digits))
  if (!numbers.includes(year) || !numbers.includes(day)) return false
  return (
    numbers.includes(month + 1) ||
    new RegExp(String.raw`(?<!\p{L})(?:${MONTHS[month]})`, 'u').test(text)
  )
}

const MONTHS = 'Jan|Jän,Feb,Mar|Mär,Apr,May|Mai,Jun,Jul,Aug,Sep,O[ck]t,Nov,De[cz]'.split(',')

/** A path at which systems keep temporary folders. */
const TEMPORARY = /[\\/](?:tmp|T|shm|Temp)[\\/]/

/** The end of the names that mkdtemp makes in Node, and in Python. */
const MADE_UP = /(?:[A-Za-z\d]{6}|(?<=\/tmp)[a-z\d_]{8})$/

/** A word, with a number or without one, as people name folders. */
const WORD = /^(?:[A-Z]?[a-z]+|[A-Z]+)?\d*$/

function hasRandomName(path: string): boolean {
  const [end] = MADE_UP.exec(path) ?? []
  return end !== undefined && !WORD.test(end)
}
