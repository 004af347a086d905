import type { Prompt } from '../prompt/prompt.ts'
import { sha256 } from '../prompt/sha256.ts'
import { rememberFor } from '../remember.ts'
import { collectTexts, messageKey, messageTexts, toolKey } from './message-key.ts'
import { jsonKey, keysOf } from '../prompt/json-key.ts'

/** The features of a prompt for ranking, read once per prompt. */
interface Features {
  /** Two prompts share it if they differ at most in the ids of tool calls. */
  key: string
  /** Hashes of whole messages, with the weight of each. */
  messages: Map<string, number>
  words: WordSketch
  /** Tools and the fields of the request, with the weight of each. */
  fields: Map<string, number>
}

/** Instructions weigh more, as they identify the conversation of a prompt. */
const WEIGHT_OF_INSTRUCTIONS = 3
const INSTRUCTION_ROLES = new Set(['system', 'developer'])

/** The score of prompts that differ only outside of the sampled words. */
const ALMOST_EQUAL = 0.999

/**
 * How much two prompts have in common, 0 to 1; 1 only if they differ at most in the ids of tool calls. Whole messages
 * weigh as much as words, tools and parameters half of that: the same conversation with one more turn ranks above
 * another conversation in the same words.
 */
export function similarity(recorded: Prompt, received: Prompt): number {
  const [one, other] = [featuresOf(recorded), featuresOf(received)]
  if (one.key === other.key) return 1
  const messages = compareWeights(one.messages, other.messages)
  const words = compareSketches(one.words, other.words)
  const fields = compareWeights(one.fields, other.fields)
  return Math.min(ALMOST_EQUAL, 0.4 * messages + 0.4 * words + 0.2 * fields)
}

const featuresOf = rememberFor(readFeatures)

function readFeatures(prompt: Prompt): Features {
  const { provider, operation, model, parameters } = prompt
  const messages = new Map<string, number>()
  const fields = new Map<string, number>()
  const order: string[] = []

  function count(weights: Map<string, number>, key: string, weight: number): void {
    const hash = sha256(key)
    weights.set(hash, (weights.get(hash) ?? 0) + weight)
    order.push(hash)
  }

  for (const name of [provider, operation, model]) count(fields, jsonKey(name ?? null), 1)
  for (const name of keysOf(parameters).sort()) {
    count(fields, jsonKey([name, parameters[name]!]), 1)
  }
  for (const tool of prompt.tools) count(fields, toolKey(tool), 1)
  for (const message of prompt.messages) {
    const weight = INSTRUCTION_ROLES.has(message.role) ? WEIGHT_OF_INSTRUCTIONS : 1
    count(messages, messageKey(message), weight)
  }

  const texts = prompt.messages.flatMap(messageTexts)
  collectTexts(parameters, texts)
  return { key: order.join(), messages, words: sketchWords(texts), fields }
}

/** The weight that two sets share, as a part of the weight of both. */
function compareWeights(one: Map<string, number>, other: Map<string, number>): number {
  let [shared, all] = [0, 0]
  for (const [key, weight] of one) {
    const otherWeight = other.get(key) ?? 0
    shared += Math.min(weight, otherWeight)
    all += Math.max(weight, otherWeight)
  }
  for (const [key, weight] of other) if (!one.has(key)) all += weight
  return all === 0 ? 1 : shared / all
}

/** The words of a text as a set of hashes, thinned out for texts with many different words. */
export interface WordSketch {
  hashes: Set<number>
  /** Only hashes without these bits were kept: texts are sampled by content, not by position. */
  mask: number
}

/** Up to this many different words are kept whole; with more, half of them go. */
const MAX_WORDS = 1_024

/** Reads the words of texts in one pass over their characters. */
export function sketchWords(texts: string[]): WordSketch {
  let mask = 0
  const hashes = new Set<number>()
  for (const text of texts) {
    let hash = 0
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      const wordUnit = isWordUnit(unit)
      if (wordUnit) hash = Math.imul(hash ^ unit, 0x01000193) + 0x9e3779b9
      // In scripts that do not separate words, each character is a word.
      if (hash === 0 || (wordUnit && unit < 0x2e80)) continue
      addHash(hash)
      hash = 0
    }
    if (hash !== 0) addHash(hash)
  }
  return { hashes, mask }

  function addHash(hash: number): void {
    const mixed = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) >>> 0
    const spread = (mixed ^ (mixed >>> 13)) >>> 0
    if ((spread & mask) !== 0) return
    hashes.add(spread)
    while (hashes.size > MAX_WORDS) {
      mask = mask * 2 + 1
      for (const one of hashes) if ((one & mask) !== 0) hashes.delete(one)
    }
  }
}

/** The share of words that two sketches have in common, 0 to 1. */
export function compareSketches(one: WordSketch, other: WordSketch): number {
  const mask = Math.max(one.mask, other.mask)
  let [ofOne, ofOther, shared] = [0, 0, 0]
  for (const hash of one.hashes) {
    if ((hash & mask) !== 0) continue
    ofOne++
    if (other.hashes.has(hash)) shared++
  }
  for (const hash of other.hashes) if ((hash & mask) === 0) ofOther++
  const all = ofOne + ofOther - shared
  return all === 0 ? 1 : shared / all
}

/** The share of words that two texts have in common, 0 to 1. */
export function textSimilarity(one: string, other: string): number {
  return compareSketches(sketchWords([one]), sketchWords([other]))
}

function isWordUnit(unit: number): boolean {
  if (unit < 48) return false
  if (unit < 58) return true
  if (unit < 65) return false
  if (unit < 91 || unit > 127) return true
  return unit > 96 && unit < 123
}

/**
 * The item that is most like something; the first of several.
 *
 * @param above how alike it has to be at least, and a bit
 */
export function mostAlike<Item>(
  items: Iterable<Item>,
  likeness: (item: Item) => number,
  above = -1,
): Item | undefined {
  let [best, most]: [Item | undefined, number] = [undefined, above]
  for (const item of items) {
    const alike = likeness(item)
    if (alike > most) [best, most] = [item, alike]
  }
  return best
}
