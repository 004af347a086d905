import { fillOptions } from '../options.ts'

// What ships loads no zod for this: tooling/compiled-schemas.ts puts the text in the place of this module.

/** The options that have a default, as JSON, so that each config has lists and objects of its own. */
export const DEFAULTS: string = JSON.stringify(fillOptions({}))
