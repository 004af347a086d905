import { cassetteSchema } from './schema.ts'

// What ships loads no zod for this: tooling/compiled-schemas.ts puts compiled functions in the place of this module.

export const isCassette = (value: unknown): boolean => cassetteSchema.safeParse(value).success
