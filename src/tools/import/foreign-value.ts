import { CassetteError } from '../../errors.ts'
import { below } from '../../json/json-pointer.ts'
import { isRawNumber } from '../../json/json-value.ts'
import { readUtf8 } from '../../wire/utf8.ts'

/**
 * A value in a file of another tool, and where it stands: any value can stand anywhere in a file that a person has
 * edited, and an error names the place. `null` is as good as nothing.
 */
export class ForeignValue {
  readonly file: string
  readonly pointer: string
  readonly value: unknown

  constructor(file: string, value: unknown, pointer: string = '') {
    this.file = file
    this.pointer = pointer
    this.value = value ?? undefined
  }

  get isAbsent(): boolean {
    return this.value === undefined
  }

  get isText(): boolean {
    return typeof this.value === 'string' || this.value instanceof Uint8Array
  }

  get isList(): boolean {
    return Array.isArray(this.value)
  }

  get isObject(): boolean {
    return isPlainObject(this.value)
  }

  /** A field of this object. */
  at(...names: string[]): ForeignValue {
    return names.reduce<ForeignValue>((outer, name) => {
      const object = outer.isAbsent ? {} : outer.object()
      const value = Object.hasOwn(object, name) ? object[name] : undefined
      return new ForeignValue(outer.file, value, below(outer.pointer, name))
    }, this)
  }

  /** The first of several fields that is there, of which tools have written one or another. */
  either(...names: string[]): ForeignValue {
    const found = names.map((name) => this.at(name))
    return found.find(({ isAbsent }) => !isAbsent) ?? found[0]!
  }

  object(): Record<string, unknown> {
    if (isPlainObject(this.value)) return this.value
    throw this.wrong('an object')
  }

  /** The items of a list; of none, if there is nothing. */
  items(): ForeignValue[] {
    if (this.isAbsent) return []
    if (!Array.isArray(this.value)) throw this.wrong('a list')
    return this.value.map(
      (item, index) => new ForeignValue(this.file, item, below(this.pointer, index)),
    )
  }

  /** The fields of an object; of none, if there is nothing. */
  fields(): Array<[name: string, field: ForeignValue]> {
    if (this.isAbsent) return []
    return Object.entries(this.object()).map(([name, value]) => [
      name,
      new ForeignValue(this.file, value, below(this.pointer, name)),
    ])
  }

  /** A text, also where a tool has written one as bytes. */
  text(): string {
    const { value } = this
    const text = value instanceof Uint8Array ? readUtf8(value) : value
    if (typeof text === 'string') return text
    throw this.wrong('a text')
  }

  textIfAny(): string | undefined {
    return this.isAbsent ? undefined : this.text()
  }

  number(): number {
    const { value } = this
    const number = isRawNumber(value) ? Number(value.rawJSON) : value
    const spelled = typeof number === 'string' && number.trim() !== '' ? Number(number) : number
    if (typeof spelled === 'number' && Number.isFinite(spelled)) return spelled
    throw this.wrong('a number')
  }

  numberIfAny(): number | undefined {
    return this.isAbsent ? undefined : this.number()
  }

  /** An HTTP status. */
  status(): number {
    const status = this.number()
    if (Number.isInteger(status) && status >= 100 && status <= 599) return status
    throw this.wrong('an HTTP status')
  }

  /** The error for a value that cannot be here. */
  wrong(expected: string): CassetteError {
    return brokenFile(
      this.file,
      `at ${this.pointer || 'its top'}, ${expected} is expected, and there is ${describe(this.value)}`,
    )
  }
}

/** The error for a file that its format does not allow. */
export function brokenFile(file: string, what: string, cause?: unknown): CassetteError {
  return new CassetteError(
    'invalid-cassette',
    `${file} cannot be read: ${what}.\n` +
      'Mend it there, or record it again. If it was written by another tool, name that one with --from',
    { cause },
  )
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Uint8Array) &&
    !isRawNumber(value)
  )
}

function describe(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (value instanceof Uint8Array) return 'binary data'
  if (isPlainObject(value)) return 'an object'
  const spelled = JSON.stringify(value)
  return spelled.length > 60 ? `${spelled.slice(0, 60)}…` : spelled
}
