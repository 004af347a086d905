export { CassetteError, type ErrorCode } from './errors.ts'
export type { CassetteOptions } from './config/options.ts'
export type { Mode } from './config/mode.ts'
export type { CassetteMeta } from './vitest/test-meta.ts'
