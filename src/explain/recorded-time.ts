import { CLOCKS } from '../prompt/named-rules.ts'
import type { ValuePair } from '../engine/bind.ts'

/**
 * The time at which a stopped clock makes a prompt equal the recorded one, as JavaScript reads it; `undefined`
 * unless exactly one time was recorded.
 */
export function recordedTime(pairs: readonly ValuePair[]): string | undefined {
  const clocks = pairs.filter(({ rule }) => CLOCKS.has(rule ?? ''))
  const exact = clocks.filter(({ rule }) => rule === 'iso-datetime' || rule === 'epoch')
  const times = new Set((exact.length > 0 ? exact : clocks).map(readTime))
  const [time] = times
  return times.size === 1 ? time : undefined
}

function readTime({ recorded, rule }: ValuePair): string | undefined {
  if (rule === 'epoch') {
    const number = Number(recorded)
    return isoOf(new Date(number < 1e11 ? number * 1_000 : number))
  }
  if (rule === 'iso-datetime') return isoOf(new Date(recorded.replace(' ', 'T')))
  if (rule !== 'date-phrase') return undefined
  const [year] = /\b\d{4}\b/.exec(recorded) ?? []
  // Only a date whose month has a name, or that begins with its year, reads the same everywhere.
  if (!year || !(/[A-Za-z]{3}/.test(recorded) || recorded.startsWith(year))) return undefined
  const local = recorded.replace(/(\d)(?:st|nd|rd|th)\b/, '$1').replace(/ of /, ' ')
  const date = new Date(/^\d{4}-\d\d-\d\d$/.test(local) ? `${local}T12:00` : local)
  if (Number.isNaN(date.getTime())) return undefined
  // A time of day with its zone is the same moment everywhere, and not the same day.
  if (/\d:\d\d.*(?:GMT|UTC|Z|[+-]\d\d:?\d\d)\b/.test(recorded)) return isoOf(date)
  const day = [year, date.getMonth() + 1, date.getDate()].map((part) =>
    String(part).padStart(2, '0'),
  )
  // Noon, so that it is the same day in nearly every time zone.
  return `${day.join('-')}T12:00`
}

function isoOf(date: Date): string | undefined {
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
