/**
 * A value that every copy of this package in this process shares. There can be several: Vitest may inline
 * one, what is loaded later comes from Node, and in a vm pool each test file has one of its own.
 */
export function shared<Value extends object>(name: string, make: () => Value): Value {
  const values = process as unknown as Record<symbol, Value | undefined>
  return (values[Symbol.for(`vitest-cassette.${name}`)] ??= make())
}
