import * as checks from '../src/json/checks.ts'
import * as patterns from '../src/cassette/patterns.ts'
import { cassetteSchema } from '../src/cassette/format/schema.ts'
import * as volatile from '../src/config/schema/check-volatile.ts'
import * as fault from '../src/config/fault.ts'
import * as server from '../src/config/hosts.ts'
import * as values from '../src/config/option-values.ts'
import { fillOptions, optionsSchema, projectOptions, runOptions } from '../src/config/options.ts'
import { statisticsSchema } from '../src/features/statistics/schema.ts'
import * as askingHeaders from '../src/providers/asking-headers.ts'
import * as headers from '../src/wire/headers.ts'
import { compileSchemas } from './compile-schema.ts'
import { type MakesModules, makesModules } from './makes-modules.ts'

const ofOptions = {
  '../../json/checks.ts': checks,
  './check-volatile.ts': volatile,
  '../fault.ts': fault,
  '../hosts.ts': server,
  '../option-values.ts': values,
}

/** The modules that ask zod, and what makes the text that is put in their place. */
export const COMPILED: Readonly<Record<string, () => string>> = {
  'src/cassette/format/is-cassette.ts': () =>
    compileSchemas(
      { isCassette: cassetteSchema },
      {
        '../patterns.ts': patterns,
        '../../json/checks.ts': checks,
        '../../providers/asking-headers.ts': askingHeaders,
        '../../wire/headers.ts': headers,
      },
    ),
  'src/features/statistics/is-statistics.ts': () =>
    compileSchemas({ isStatistics: statisticsSchema }, { '../../json/checks.ts': checks }),
  'src/config/schema/is-options.ts': () =>
    compileSchemas({ isOptions: optionsSchema }, ofOptions) +
    `export const PROJECT_OPTIONS = ${JSON.stringify(projectOptions())}\n` +
    `export const RUN_OPTIONS = ${JSON.stringify(runOptions())}\n`,
  'src/config/schema/defaults.ts': () =>
    `export const DEFAULTS = ${JSON.stringify(JSON.stringify(fillOptions({})))}\n`,
}

/** A plugin of the build, and of the tests, so that they test what ships. */
export const compiledSchemas: MakesModules = makesModules('compiled-schemas', COMPILED)
