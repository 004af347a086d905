/**
 * A value that all copies of this package in this process share. There can be several copies: Vitest may inline one,
 * Node loads later parts, and in a vm pool each test file has its own.
 *
 * @param make makes the first value, which is else an object without properties
 */
export function shared<Value extends object>(name: string, make?: () => Value): Value {
  const values = process as unknown as Record<symbol, Value | undefined>
  return (values[Symbol.for(`vitest-cassette.${name}`)] ??= make?.() ?? ({} as Value))
}

/** True in a vm pool of Vitest, where each test file has a context of its own that ends with it. */
export function isInVmPool(): boolean {
  // A function of the main context, which needs no script to be compiled.
  return !(process.getBuiltinModule instanceof Object)
}
