import type * as z from 'zod/mini'
import * as shared from '../src/json/checks.ts'

/** Functions that a schema calls and expressions that it tests, by the module that exports them. */
export type Functions = Readonly<Record<string, object>>

type Def = z.core.$ZodTypes['_zod']['def']
type Check = z.core.$ZodChecks['_zod']['def']

/**
 * Compiles zod schemas to functions that only return whether a value is valid. They load no library, and accept no
 * value that the schema rejects.
 *
 * @param schemas the schemas, by the names of the exported functions
 * @param functions the functions and expressions of the schemas, and src/json/checks.ts
 * @throws Error for a schema that it cannot compile
 */
export function compileSchemas(
  schemas: Readonly<Record<string, z.core.$ZodType>>,
  functions: Functions,
): string {
  const compiler = new Compiler(functions)
  for (const schema of Object.values(schemas)) compiler.count(schema)
  const exported = Object.entries(schemas).map(
    ([name, schema]) => `export const ${name} = (value) => ${compiler.test(schema, 'value')}\n`,
  )
  return [...compiler.declarations(), ...exported].join('')
}

/** The format of a text. */
interface Format {
  format?: string
  pattern?: RegExp
  protocol?: RegExp
  hostname?: RegExp
}

class Compiler {
  readonly #functions: Functions
  readonly #imported: Map<string, Set<string>> = new Map()
  /** How often each check is used, by its text. */
  readonly #uses: Map<string, number> = new Map()
  /** The names of the functions of checks that are used more than once, by the texts of the checks. */
  readonly #checks: Map<string, string> = new Map()
  /** What becomes of a check: a function where it is used again, text of its own, or one more use. */
  #mode: 'functions' | 'text' | 'uses' = 'functions'

  constructor(functions: Functions) {
    this.#functions = functions
  }

  declarations(): string[] {
    const imports = [...this.#imported].map(
      ([from, names]) => `import { ${[...names].join(', ')} } from '${from}'\n`,
    )
    const checks = [...this.#checks].map(([text, name]) => `const ${name} = (value) => ${text}\n`)
    return [...imports, ...checks]
  }

  /** Counts the checks of a schema. */
  count(schema: z.core.$ZodType): void {
    this.#mode = 'uses'
    this.test(schema, 'value')
    this.#mode = 'functions'
  }

  /** An expression that is true where `value` is valid. */
  test(schema: z.core.$ZodType, value: string): string {
    const { def } = schema._zod as { def: Def }
    if (def.type === 'unknown') return `${value} !== undefined`
    if (def.type === 'never') return 'false'
    if (def.type === 'string' && !('format' in def) && !def.checks)
      return `typeof ${value} === 'string'`
    if (def.type === 'boolean') return `typeof ${value} === 'boolean'`
    if (def.type === 'literal') return oneOf(value, def.values)
    if (def.type === 'enum') {
      const values = Object.values(def.entries)
      const name = this.#import(values)
      return name === undefined ? oneOf(value, values) : `${name}.includes(${value})`
    }
    if (def.type === 'custom') return `${this.#call(def.fn as never)}(${value})`
    if (def.type === 'optional' || def.type === 'default') {
      const inner = def.innerType._zod.def.type
      if (inner === 'unknown') return 'true'
      if (inner === 'never') return `${value} === undefined`
      return `(${value} === undefined || ${this.test(def.innerType, value)})`
    }
    const write = (name: string): string => {
      const rules = (def.checks ?? []).map((one) => this.#rule(one, name))
      return [...this.#type(def, name), ...rules].map((part) => `(${part})`).join(' && ')
    }
    if (this.#mode === 'text') return write(value)
    const key = this.#asText(() => write('value'))
    if (this.#mode === 'uses') {
      const uses = (this.#uses.get(key) ?? 0) + 1
      this.#uses.set(key, uses)
      // What is in it is written once, however often it is used.
      return uses === 1 ? write(value) : ''
    }
    if (this.#uses.get(key) === 1) return `(${write(value)})`
    const text = write('value')
    const name = this.#checks.get(text) ?? `check${this.#checks.size}`
    this.#checks.set(text, name)
    return `${name}(${value})`
  }

  #asText(write: () => string): string {
    const mode = this.#mode
    this.#mode = 'text'
    const text = write()
    this.#mode = mode
    return text
  }

  #type(def: Def, value: string): string[] {
    switch (def.type) {
      case 'string':
        return [`typeof ${value} === 'string'`, ...this.#formatOf(def as never, value)]
      case 'number':
        return [
          (def as { format?: string }).format
            ? isSafeInteger(def as never, value)
            : `Number.isFinite(${value})`,
        ]
      case 'array': {
        this.#call(shared.isListOf)
        const item = this.test(def.element, 'item')
        return [`isListOf(${value}, (item) => ${item})`]
      }
      case 'union':
        return [def.options.map((option) => this.test(option, value)).join(' || ')]
      case 'record': {
        this.#call(shared.isRecord)
        const key = this.test(def.keyType, 'key')
        const item = this.test(def.valueType, 'item')
        return [
          `isRecord(${value})`,
          `Object.entries(${value}).every(([key, item]) => ${key} && ${item})`,
        ]
      }
      case 'object':
        return this.#object(def, value)
      default:
        throw new Error(`The checks of a schema of type ${def.type} cannot be compiled yet.`)
    }
  }

  #object({ shape, catchall }: z.core.$ZodObjectDef, value: string): string[] {
    if (catchall?._zod.def.type !== 'never') throw new Error('Only strict objects can be compiled.')
    this.#call(shared.isObject)
    this.#call(shared.hasOnly)
    const fields = Object.entries(shape).map(([key, field]) =>
      this.test(field, `${value}[${JSON.stringify(key)}]`),
    )
    const keys = JSON.stringify(Object.keys(shape))
    return [`isObject(${value})`, `hasOnly(${value}, ${keys})`, ...fields]
  }

  #rule(check: z.core.$ZodCheck<never>, value: string): string {
    const { def } = check._zod as unknown as { def: Check & { fn?: unknown } }
    switch (def.check) {
      case 'string_format':
        return this.#formatOf(def as never, value)[0]!
      case 'min_length':
        return `${value}.length >= ${def.minimum}`
      case 'greater_than':
        return `${value} >${def.inclusive ? '=' : ''} ${String(def.value)}`
      case 'less_than':
        return `${value} <${def.inclusive ? '=' : ''} ${String(def.value)}`
      default:
        if (typeof def.fn === 'function') return `${this.#call(def.fn)}(${value})`
        throw new Error(`The check ${def.check} of a schema cannot be compiled yet.`)
    }
  }

  #formatOf({ format, pattern, protocol, hostname }: Format, value: string): string[] {
    if (format === undefined) return []
    if (format === 'url' && protocol && !hostname)
      return [
        `[URL.parse(${value})].every((url) => url && ${String(protocol)}.test(url.protocol.slice(0, -1)))`,
      ]
    // Other formats have rules beside their pattern, in functions of zod.
    if ((format === 'regex' || format === 'datetime') && pattern)
      return [`${this.#import(pattern) ?? String(pattern)}.test(${value})`]
    throw new Error(`The format ${format} of a schema cannot be compiled yet.`)
  }

  /** Imports a function that a schema calls, and returns its name. */
  #call(called: unknown): string {
    const name = this.#import(called)
    if (name !== undefined) return name
    throw new Error(`No module is known that exports what a schema calls: ${String(called)}`)
  }

  /** Imports what a module exports, and returns its name. */
  #import(used: unknown): string | undefined {
    for (const [from, exported] of Object.entries(this.#functions)) {
      const [name] = Object.entries(exported).find(([, one]) => isSame(one, used)) ?? []
      if (name === undefined) continue
      this.#imported.set(from, (this.#imported.get(from) ?? new Set()).add(name))
      return name
    }
    return undefined
  }
}

function isSafeInteger({ format }: { format: string }, value: string): string {
  if (format !== 'safeint')
    throw new Error(`The numbers ${format} of a schema cannot be compiled yet.`)
  return `Number.isSafeInteger(${value})`
}

function oneOf(value: string, values: readonly unknown[]): string {
  return `${JSON.stringify(values)}.includes(${value})`
}

/** Whether two are one value, or lists of the same texts. */
function isSame(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other
  return one.length === other.length && one.every((item, at) => item === other[at])
}
