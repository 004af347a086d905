import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import type { Part, Prompt, Tool } from '../../prompt/prompt.ts'
import type { WireRequest } from '../../wire/message.ts'
import { type PartReader, readContent } from '../content.ts'
import { arrayOf, defined, type Field, isFilled, objectOf, stringOf } from '../fields.ts'
import { readEnvelope } from './envelope.ts'
import { Remainder } from './remainder.ts'

/** An object of a message while it is read: what nobody takes goes to the rest. */
export class Taken {
  readonly #object: JsonObject
  readonly #names: Set<string> = new Set()
  readonly #inner: Map<string, Taken> = new Map()
  /** What nobody takes of the parts in it. */
  readonly rest: Remainder = new Remainder()

  constructor(object: Field) {
    this.#object = objectOf(object)
  }

  /** What kind of object it is; not taken. */
  get type(): string {
    return stringOf(this.#object.type) ?? ''
  }

  get names(): string[] {
    return Object.keys(this.#object)
  }

  /** Takes a field, whatever it is. */
  any(name: string): Field {
    this.#names.add(name)
    return this.#object[name]
  }

  /** Takes the first text among several fields; anything else stays. */
  text(...names: string[]): string | undefined {
    const name = names.find((one) => this.has(one))
    return name === undefined ? undefined : (this.any(name) as string)
  }

  /** Takes what is neither `null` nor an empty list. */
  filled(name: string): Field {
    const value = this.#object[name]
    if (value !== null && !(Array.isArray(value) && value.length === 0)) this.any(name)
    return value
  }

  /** Takes a text, or a list that is not empty. */
  said(name: string): string | JsonValue[] | undefined {
    return isFilled(this.#object[name]) ? (this.any(name) as string | JsonValue[]) : undefined
  }

  /** Takes the parts of a content. */
  parts(name: string, readPart: PartReader): Part[] {
    return readContent(this.filled(name), name, this.rest, readPart)
  }

  /** Takes a list that is not empty. */
  list(name: string): JsonValue[] {
    return Array.isArray(this.#object[name]) ? arrayOf(this.filled(name)) : []
  }

  /** Takes a field that has this value, and so says nothing more. */
  is(name: string, value: string | boolean): boolean {
    return this.#object[name] === value && this.any(name) === value
  }

  /** Whether there is a text in a field. */
  has(name: string): boolean {
    return typeof this.#object[name] === 'string'
  }

  /** Whether there is an object in a field. */
  holds(name: string): boolean {
    return isJsonObject(this.#object[name])
  }

  /** The object in a field, whose own fields are taken one by one. */
  inner(name: string): Taken {
    const inner = new Taken(this.any(name))
    this.#inner.set(name, inner)
    return inner
  }

  /** Keeps what was not taken. */
  keep(path: string, rest: Remainder): void {
    rest.keep(path, this.#object, [...this.#names])
    for (const [name, inner] of this.#inner) inner.keep(path ? `${path}.${name}` : name, rest)
  }

  /** What was not taken, as `extra`, which is absent if there is nothing. */
  get extra(): { extra?: JsonObject } {
    this.keep('', this.rest)
    return this.rest.extra
  }

  /** What was not taken. */
  get left(): JsonObject {
    return this.extra.extra ?? {}
  }
}

/** Reads a prompt by taking the fields of its body. What nobody takes is a parameter. */
export function takePrompt(
  request: WireRequest,
  operation: string,
  read: (body: Taken) => Partial<Prompt>,
): Prompt {
  const { parameters, ...envelope } = readEnvelope(request, operation)
  const body = new Taken(parameters)
  const said = read(body)
  return { ...envelope, parameters: body.left, messages: [], tools: [], ...said }
}

/** Reads a part by taking its fields. Nothing is kept of one that is not known. */
export function takePart(
  read: (part: Taken, path: string, rest: Remainder) => Part | undefined,
): PartReader {
  return (value, path, rest) => {
    const taken = new Taken(value)
    const part = read(taken, path, rest)
    if (part) taken.keep(path, rest)
    return part
  }
}

/** Reads the definition of a tool whose schema stands in a field. */
export function takeTool(tool: Taken, name: string | undefined, schema: string): Tool {
  const description = tool.text('description')
  const parameters = tool.any(schema)
  return defined({ name: name ?? '', description, parameters, ...tool.extra })
}

/** A text or a thought that stands in a field, and its type. */
export function takeText(part: Taken, type: 'text' | 'reasoning', field: string): Part | undefined {
  const text = part.text(field)
  if (text === undefined) return undefined
  part.any('type')
  return { type, text }
}

/** A call of a tool; `undefined` without a name. */
export function takenCall(
  id: string | undefined,
  name: string | undefined,
  input: JsonValue,
): Part | undefined {
  if (name === undefined) return undefined
  return defined({ type: 'tool_call' as const, id, name, arguments: input })
}

/** The result of a call. */
export function takenResult(id: string | undefined, result: JsonValue): Part {
  return defined({ type: 'tool_call_response' as const, id, result })
}
