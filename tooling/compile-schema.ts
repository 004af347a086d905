import type * as z from 'zod/mini'
import * as shared from '../src/json/checks.ts'

/** Functions that a schema calls, by the module that exports them. */
export type Functions = Readonly<Record<string, object>>

type Def = z.core.$ZodTypes['_zod']['def']
type Check = z.core.$ZodChecks['_zod']['def']

/**
 * Compiles zod schemas to functions that only return whether a value is valid. They load no library, and accept no
 * value that the schema rejects.
 *
 * @param schemas the schemas, by the names of the exported functions
 * @param functions the functions that the schemas call, and src/json/checks.ts
 * @throws Error for a schema that it cannot compile
 */
export function compileSchemas(
  schemas: Readonly<Record<string, z.core.$ZodType>>,
  functions: Functions,
): string {
  const compiler = new Compiler(functions)
  const exported = Object.entries(schemas).map(
    ([name, schema]) => `export const ${name} = (value) => ${compiler.test(schema, 'value')}\n`,
  )
  return [...compiler.declarations(), ...exported].join('')
}

class Compiler {
  readonly #functions: Functions
  readonly #imported: Map<string, Set<string>> = new Map()
  /** The names of checks by their text. */
  readonly #checks: Map<string, string> = new Map()

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

  /** An expression that is true where `value` is valid. */
  test(schema: z.core.$ZodType, value: string): string {
    const { def } = schema._zod as { def: Def }
    if (def.type === 'unknown') return `${value} !== undefined`
    if (def.type === 'never') return 'false'
    if (def.type === 'string' && !('format' in def) && !def.checks)
      return `typeof ${value} === 'string'`
    if (def.type === 'boolean') return `typeof ${value} === 'boolean'`
    if (def.type === 'literal') return oneOf(value, def.values)
    if (def.type === 'enum') return oneOf(value, Object.values(def.entries))
    if (def.type === 'custom') return `${this.#call(def.fn as never)}(${value})`
    if (def.type === 'optional') {
      const inner = def.innerType._zod.def.type
      if (inner === 'unknown') return 'true'
      if (inner === 'never') return `${value} === undefined`
      return `(${value} === undefined || ${this.test(def.innerType, value)})`
    }
    const parts = [...this.#type(def), ...(def.checks ?? []).map((one) => this.#rule(one))]
    const text = parts.map((part) => `(${part})`).join(' && ')
    const name = this.#checks.get(text) ?? `check${this.#checks.size}`
    this.#checks.set(text, name)
    return `${name}(${value})`
  }

  #type(def: Def): string[] {
    switch (def.type) {
      case 'string':
        return [`typeof value === 'string'`, ...formatOf(def as never)]
      case 'number':
        return [
          (def as { format?: string }).format
            ? isSafeInteger(def as never)
            : 'Number.isFinite(value)',
        ]
      case 'array': {
        this.#call(shared.isListOf)
        const item = this.test(def.element, 'item')
        return [`isListOf(value, (item) => ${item})`]
      }
      case 'union':
        return [def.options.map((option) => this.test(option, 'value')).join(' || ')]
      case 'record': {
        this.#call(shared.isRecord)
        const key = this.test(def.keyType, 'key')
        const item = this.test(def.valueType, 'item')
        return [
          `isRecord(value)`,
          `Object.entries(value).every(([key, item]) => ${key} && ${item})`,
        ]
      }
      case 'object':
        return this.#object(def)
      default:
        throw new Error(`The checks of a schema of type ${def.type} cannot be compiled yet.`)
    }
  }

  #object({ shape, catchall }: z.core.$ZodObjectDef): string[] {
    if (catchall?._zod.def.type !== 'never') throw new Error('Only strict objects can be compiled.')
    this.#call(shared.isObject)
    this.#call(shared.hasOnly)
    const fields = Object.entries(shape).map(([key, field]) =>
      this.test(field, `value[${JSON.stringify(key)}]`),
    )
    const keys = JSON.stringify(Object.keys(shape))
    return ['isObject(value)', `hasOnly(value, ${keys})`, ...fields]
  }

  #rule(check: z.core.$ZodCheck<never>): string {
    const { def } = check._zod as unknown as { def: Check & { fn?: unknown } }
    switch (def.check) {
      case 'string_format':
        return formatOf(def as never)[0]!
      case 'min_length':
        return `value.length >= ${def.minimum}`
      case 'greater_than':
        return `value >${def.inclusive ? '=' : ''} ${String(def.value)}`
      case 'less_than':
        return `value <${def.inclusive ? '=' : ''} ${String(def.value)}`
      default:
        if (typeof def.fn === 'function') return `${this.#call(def.fn)}(value)`
        throw new Error(`The check ${def.check} of a schema cannot be compiled yet.`)
    }
  }

  /** Imports a function that a schema calls, and returns its name. */
  #call(called: unknown): string {
    for (const [from, exported] of Object.entries(this.#functions)) {
      const [name] = Object.entries(exported).find(([, one]) => one === called) ?? []
      if (name === undefined) continue
      this.#imported.set(from, (this.#imported.get(from) ?? new Set()).add(name))
      return name
    }
    throw new Error(`No module is known that exports what a schema calls: ${String(called)}`)
  }
}

function formatOf(def: {
  format?: string
  pattern?: RegExp
  protocol?: RegExp
  hostname?: RegExp
}): string[] {
  const { format, pattern, protocol, hostname } = def
  if (format === undefined) return []
  if (format === 'url' && protocol && !hostname)
    return [
      `[URL.parse(value)].every((url) => url && ${String(protocol)}.test(url.protocol.slice(0, -1)))`,
    ]
  // Other formats have rules beside their pattern, in functions of zod.
  if ((format === 'regex' || format === 'datetime') && pattern)
    return [`${String(pattern)}.test(value)`]
  throw new Error(`The format ${format} of a schema cannot be compiled yet.`)
}

function isSafeInteger({ format }: { format: string }): string {
  if (format !== 'safeint')
    throw new Error(`The numbers ${format} of a schema cannot be compiled yet.`)
  return 'Number.isSafeInteger(value)'
}

function oneOf(value: string, values: readonly unknown[]): string {
  return `${JSON.stringify(values)}.includes(${value})`
}
