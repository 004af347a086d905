import type { Incoming } from '../../engine/incoming.ts'
import type { Session } from '../../engine/session.ts'
import { textsOfJson } from '../../json/walk.ts'
import { CONTENTS } from '../../prompt/canonical.ts'
import { compileRules } from '../../prompt/volatile-rules.ts'
import { textOf } from '../../wire/body.ts'

/** How each prompt that a session recorded spells the date of today, where it does and no declared rule covers that. */
export function findToday({ asked }: Session, now: Date): string[] {
  const days = [
    [now.getFullYear(), now.getMonth(), now.getDate()],
    [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()],
  ] as const
  const found: string[] = []
  for (const { recording } of asked) {
    if (!recording) continue
    const text = textOf(recording.incoming.wire.body)
    const [here, universal] = days
    // Most prompts hold no such year, and are not searched.
    if (!text.includes(String(here[0])) && !text.includes(String(universal[0]))) continue
    const date = dateIn(recording.incoming, days)
    if (date !== undefined) found.push(date)
  }
  return found
}

type Day = readonly [year: number, month: number, day: number]

function dateIn({ canonical }: Incoming, days: readonly Day[]): string | undefined {
  const { find } = compileRules(['date-phrase'])
  // Declared values stand for themselves no more in the body that is compared.
  for (const text of textsOfJson(CONTENTS.map((kind) => canonical[kind] ?? null)))
    for (const { start, end } of find(text)) {
      const date = text.slice(start, end)
      if (days.some((day) => isDate(date, day))) return date
    }
  return undefined
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
