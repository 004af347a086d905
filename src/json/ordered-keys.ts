/** The names of the properties of a JSON schema, and of the older form of it in Cohere's first API. */
const ORDERED = new Set(['properties', 'parameter_definitions'])

/**
 * True for a key whose object means something by the order of its keys. Models write the properties of their output,
 * and the arguments of a call, in the order of the schema: a reason before a verdict is another task than one after it.
 */
export function isOrdered(key: string): boolean {
  return ORDERED.has(key)
}
