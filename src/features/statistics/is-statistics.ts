import { statisticsSchema, type StoredStatistics } from './schema.ts'

// What ships loads no zod for this: tooling/compiled-schemas.ts puts compiled functions in the place of this module.

export const isStatistics = (value: unknown): value is StoredStatistics =>
  statisticsSchema.safeParse(value).success
