import type { Alias, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml'
import { requireFrom } from '../../real/load-later.ts'
import { CassetteError } from '../../errors.ts'
import { MAX_DEPTH } from '../../json/json-value.ts'
import { brokenFile } from './foreign-value.ts'

type Yaml = typeof import('yaml')

/** How much a file may say by repeating what stands elsewhere in it: few files of tools repeat more than headers. */
const MOST_REPEATED = 1_000_000

/** Without the tags of types, but the one of bytes: the value below is data, whatever type it should become. */
const BINARY = new Set(['!binary', 'tag:yaml.org,2002:binary'])
const TEXT = new Set([
  '!str',
  'tag:yaml.org,2002:str',
  'tag:yaml.org,2002:python/unicode',
  'tag:yaml.org,2002:python/str',
])

/**
 * Numbers, as PyYAML, Psych and Go write them. The library's own rules take more for numbers than they quote: an id like
 * `12e34` is a text for all three.
 */
const INTEGER = /^[-+]?(?:0|[1-9]\d*)$/
const DECIMAL = /^[-+]?\d+\.\d*(?:[eE][-+]\d+)?$/

/** Loads the library at the first file: no other command reads YAML. */
let loaded: Yaml | undefined
function library(): Yaml {
  return (loaded ??= requireFrom(import.meta.url)('yaml') as Yaml)
}

/**
 * Reads YAML as data. Tags of types, such as `!ruby/object` and `!!python/object`, make no object; `!binary` makes
 * bytes. A key that is no text is the first text in it, since Python writes names of headers as objects.
 *
 * @throws CassetteError `invalid-cassette`
 */
export function readYaml(text: string, file: string): unknown {
  const { parseDocument, LineCounter } = library()
  const lines = new LineCounter()
  try {
    const document = parseDocument(text, {
      schema: 'failsafe',
      resolveKnownTags: false,
      uniqueKeys: false,
      logLevel: 'error',
      lineCounter: lines,
    })
    const [error] = document.errors
    if (error) throw brokenYaml(file, error.message)
    return new Reading(file).valueOf(document.contents, 0)
  } catch (error) {
    if (CassetteError.isInstance(error)) throw error
    throw brokenYaml(file, (error as Error).message, error)
  }
}

function brokenYaml(file: string, message: string, cause?: unknown): CassetteError {
  // The library calls itself for each level.
  const what = message.includes('call stack') ? 'it is nested too deeply' : message
  const [first] = what.split(/:?\n/)
  return brokenFile(file, `it is broken YAML: ${first}`, cause)
}

/** The values of a document. What is repeated by aliases is made once and shared, and its size counted each time. */
class Reading {
  readonly #file: string
  readonly #anchors = new Map<string, { value: unknown; size: number } | 'open'>()
  #size = 0
  #repeated = 0

  constructor(file: string) {
    this.#file = file
  }

  valueOf(node: unknown, depth: number): unknown {
    if (depth > MAX_DEPTH) throw brokenYaml(this.#file, 'it is nested too deeply')
    const { isAlias } = library()
    if (isAlias(node)) return this.#repeat(node)
    this.#size++
    const { anchor } = (node ?? {}) as { anchor?: string }
    if (anchor === undefined) return this.#read(node, depth)
    const before = this.#size + this.#repeated
    this.#anchors.set(anchor, 'open')
    const value = this.#read(node, depth)
    this.#anchors.set(anchor, { value, size: this.#size + this.#repeated - before + 1 })
    return value
  }

  #repeat({ source }: Alias): unknown {
    const known = this.#anchors.get(source)
    if (known === undefined) throw brokenYaml(this.#file, `the alias *${source} repeats nothing`)
    if (known === 'open') throw brokenYaml(this.#file, `the alias *${source} stands in itself`)
    this.#repeated += known.size
    if (this.#repeated > MOST_REPEATED)
      throw brokenYaml(this.#file, `its aliases repeat more than ${MOST_REPEATED} values`)
    return known.value
  }

  #read(node: unknown, depth: number): unknown {
    const { isMap, isSeq, isScalar } = library()
    if (isMap(node)) return this.#object(node, depth)
    if (isSeq(node)) return (node as YAMLSeq).items.map((item) => this.valueOf(item, depth + 1))
    return isScalar(node) ? this.#scalar(node) : null
  }

  #object({ items }: YAMLMap, depth: number): Record<string, unknown> {
    const entries = items.map(({ key, value }: Pair): [string, unknown] => [
      firstText(this.valueOf(key, depth + 1)),
      this.valueOf(value, depth + 1),
    ])
    // Built from entries, a key named `__proto__` is a key like any other.
    return Object.fromEntries(entries)
  }

  #scalar({ value, tag, type, source }: Scalar): unknown {
    const text = typeof value === 'string' ? value : ''
    if (tag !== undefined && BINARY.has(tag)) return Buffer.from(text, 'base64')
    if (type !== 'PLAIN' || (tag !== undefined && TEXT.has(tag))) return text
    return plainValue(source ?? text)
  }
}

/** The value of a text without quotes. */
function plainValue(text: string): unknown {
  if (text === '' || text === '~' || text === 'null') return null
  if (text === 'true' || text === 'false') return text === 'true'
  return INTEGER.test(text) || DECIMAL.test(text) ? numberOf(text) : text
}

/** A number, with its digits where a double would lose some. */
function numberOf(text: string): unknown {
  const number = Number(text)
  const isExact = !INTEGER.test(text) || Number.isSafeInteger(number)
  return isExact
    ? number
    : (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text.replace('+', ''))
}

function firstText(key: unknown): string {
  if (Array.isArray(key)) return firstText(key[0])
  if (typeof key === 'object' && key !== null && !(key instanceof Uint8Array))
    return firstText(Object.values(key)[0])
  return key instanceof Uint8Array ? Buffer.from(key).toString() : String(key ?? '')
}
