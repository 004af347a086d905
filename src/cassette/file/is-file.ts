import { cassetteSchema } from './schema.ts'

// What ships loads no zod for this: tooling/compiled-schemas.ts puts compiled functions in the place of this module.

export const isFile = (value: unknown): boolean => cassetteSchema.safeParse(value).success
