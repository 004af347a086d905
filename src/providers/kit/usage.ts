import type { JsonObject } from '../../json/json-value.ts'
import type { Usage } from '../../prompt/completion.ts'
import { counted, type Field, numberOf, objectOf, sumOf } from '../fields.ts'

type Count = keyof Usage

/** How a format counts tokens: the places of each count, of which the first is written; a dot leads into an object. */
export interface UsageFormat extends Partial<Record<Count, string | readonly string[]>> {
  /** Cached tokens stand beside those of the input here, not among them. */
  cachedBeside?: true
  /** Thoughts stand beside the output here, not among it. */
  thoughtsBeside?: true
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
  const read: Usage = Object.fromEntries(COUNTS.map((count) => [count, own(count)]))
  if (format.alsoInput) read.inputTokens = sumOf(read.inputTokens, at(usage, format.alsoInput))
  if (format.cachedBeside && read.inputTokens !== undefined) read.inputTokens += cachedIn(read)
  if (format.thoughtsBeside)
    read.outputTokens = sumOf(read.outputTokens, read.reasoningOutputTokens)
  return counted(read)
}

/** Writes counts so that they read back the same. */
export function writeUsage(format: UsageFormat, usage: Usage = {}): JsonObject {
  const beside: Usage = {
    inputTokens: format.cachedBeside ? cachedIn(usage) : 0,
    outputTokens: format.thoughtsBeside ? usage.reasoningOutputTokens : 0,
  }
  const written: JsonObject = {}
  for (const count of COUNTS) {
    const [place] = placesOfCount(format, count)
    const tokens = usage[count]
    if (place !== undefined && tokens !== undefined)
      put(written, place, Math.max(0, tokens - (beside[count] ?? 0)))
  }
  const { inputTokens = 0, outputTokens = 0 } = usage
  return format.total ? { ...written, [format.total]: inputTokens + outputTokens } : written
}

function cachedIn({ cacheReadInputTokens = 0, cacheCreationInputTokens = 0 }: Usage): number {
  return cacheReadInputTokens + cacheCreationInputTokens
}

function placesOfCount(format: UsageFormat, count: Count): readonly string[] {
  const places = format[count] ?? []
  return typeof places === 'string' ? [places] : places
}

function at(usage: JsonObject, place: string): Field {
  if (!place.includes('.')) return usage[place]
  return place.split('.').reduce<Field>((value, name) => objectOf(value)[name], usage)
}

function put(written: JsonObject, place: string, count: number): void {
  const [name = '', inner] = place.split('.')
  written[name] = inner === undefined ? count : { ...objectOf(written[name]), [inner]: count }
}
