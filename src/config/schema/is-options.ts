import { optionsSchema } from '../parse-options.ts'

// What ships loads no zod for this: tooling/compiled-schemas.ts puts a compiled function in the place of this module.

export const isOptions = (value: unknown): boolean => optionsSchema().safeParse(value).success
