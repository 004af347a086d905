import * as checks from '../src/json/checks.ts'
import * as patterns from '../src/cassette/patterns.ts'
import { cassetteSchema, jsonLayout } from '../src/cassette/format.ts'
import * as volatile from '../src/config/check-volatile.ts'
import * as fault from '../src/config/fault.ts'
import * as server from '../src/config/hosts.ts'
import * as options from '../src/config/options.ts'
import { optionsSchema } from '../src/config/parse-options.ts'
import { compileSchemas } from './compile-schema.ts'

const ofOptions = {
  '../../json/checks.ts': checks,
  '../check-volatile.ts': volatile,
  '../fault.ts': fault,
  '../hosts.ts': server,
  '../options.ts': options,
}

/** The text of each file that is generated from schemas. */
export const compiledSchemas: Readonly<Record<string, string>> = {
  'src/cassette/format/is-cassette.ts': compileSchemas(
    { isCassette: cassetteSchema, isJsonLayout: jsonLayout },
    { '../patterns.ts': patterns, '../../json/checks.ts': checks },
  ),
  'src/config/schema/is-options.ts': compileSchemas({ isOptions: optionsSchema() }, ofOptions),
}
