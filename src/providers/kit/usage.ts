import type { JsonObject } from '../../json/json-value.ts'
import type { Usage } from '../../prompt/completion.ts'
import { counted, type Field, numberOf, objectOf, sumOf } from '../fields.ts'

type Count = keyof Usage

/** How a format counts tokens: the places of each count, of which the first is written; a dot leads into an object. */
export interface UsageFormat extends Partial<Record<Count, string | readonly string[]>> {
  /** The counts that stand beside another one here, and among it in ours: cached tokens, thoughts. */
  beside?: Partial<Record<Count, readonly Count[]>>
  /** Tokens of the input that have no count in ours. */
  alsoInput?: string
  /** The place of the sum of input and output. */
  total?: string
}

const COUNTS: readonly Count[] = [
  'inputTokens',
  'outputTokens',
  'cacheReadInputTokens',
  'cacheCreationInputTokens',
  'reasoningOutputTokens',
]

/** Reads the counts of an answer; `undefined` where there are none. */
export function readUsage(format: UsageFormat, value: Field): Usage | undefined {
  const usage = objectOf(value)
  const own = (count: Count): number | undefined =>
    numberOf(...placesOfCount(format, count).map((place) => at(usage, place)))
  const counts = COUNTS.map((count): [Count, number | undefined] => {
    const others = (format.beside?.[count] ?? []).map(own)
    const also =
      count === 'inputTokens' && format.alsoInput ? at(usage, format.alsoInput) : undefined
    return [count, sumOf(own(count), also, ...others)]
  })
  return counted(Object.fromEntries(counts))
}

/** Writes counts so that they read back the same. */
export function writeUsage(format: UsageFormat, usage: Usage = {}): JsonObject {
  const written: JsonObject = {}
  for (const count of COUNTS) {
    const [place] = placesOfCount(format, count)
    const sum = usage[count]
    if (place === undefined || sum === undefined) continue
    const others = format.beside?.[count] ?? []
    put(written, place, Math.max(0, sum - (sumOf(...others.map((other) => usage[other])) ?? 0)))
  }
  const { inputTokens = 0, outputTokens = 0 } = usage
  return format.total ? { ...written, [format.total]: inputTokens + outputTokens } : written
}

function placesOfCount(format: UsageFormat, count: Count): readonly string[] {
  return [format[count] ?? []].flat()
}

function at(usage: JsonObject, place: string): Field {
  return place.split('.').reduce<Field>((value, name) => objectOf(value)[name], usage)
}

function put(written: JsonObject, place: string, count: number): void {
  const [name = '', inner] = place.split('.')
  written[name] = inner === undefined ? count : { ...objectOf(written[name]), [inner]: count }
}
