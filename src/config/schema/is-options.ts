import { optionsSchema, projectOptions, runOptions } from '../options.ts'

// What ships loads no zod for this: tooling/compiled-schemas.ts puts a compiled function and lists in the place of this
// module.

export const isOptions = (value: unknown): boolean => optionsSchema.safeParse(value).success

export const PROJECT_OPTIONS: readonly string[] = projectOptions()

export const RUN_OPTIONS: readonly string[] = runOptions()
