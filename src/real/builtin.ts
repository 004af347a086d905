/**
 * A built-in module whose functions are replaced. Not by `import`: in a vm pool, the first import of a module decides
 * which functions every later named import gets.
 */
export const builtin: typeof process.getBuiltinModule = (name: string) =>
  process.getBuiltinModule(name) as never
