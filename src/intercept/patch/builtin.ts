/**
 * A built-in module to replace functions of. Not by `import`: in a vm pool, what is imported first
 * decides which functions every later import by name gets.
 */
export const builtin: typeof process.getBuiltinModule = (name: string) =>
  process.getBuiltinModule(name) as never
