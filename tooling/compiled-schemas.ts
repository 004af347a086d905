import * as checks from '../src/json/checks.ts'
import * as patterns from '../src/cassette/format/patterns.ts'
import { cassetteSchema, jsonLayout } from '../src/cassette/format/format.ts'
import * as volatile from '../src/config/check-volatile.ts'
import * as fault from '../src/config/fault.ts'
import * as image from '../src/config/image-options.ts'
import { optionsSchema } from '../src/config/options-schema.ts'
import * as options from '../src/config/options.ts'
import * as params from '../src/config/params-strategy.ts'
import * as redact from '../src/config/redact-rule.ts'
import * as server from '../src/config/server-name.ts'
import * as speaker from '../src/config/speaker-option.ts'
import * as invalid from '../src/config/why-invalid.ts'
import { compileSchemas } from './compile-schema.ts'

const ofOptions = {
  '../json/checks.ts': checks,
  './check-volatile.ts': volatile,
  './fault.ts': fault,
  './image-options.ts': image,
  './options.ts': options,
  './params-strategy.ts': params,
  './redact-rule.ts': redact,
  './server-name.ts': server,
  './speaker-option.ts': speaker,
  './why-invalid.ts': invalid,
}

/** The text of each file that is generated from schemas. */
export const compiledSchemas: Readonly<Record<string, string>> = {
  'src/cassette/format/is-cassette.ts': compileSchemas(
    { isCassette: cassetteSchema, isJsonLayout: jsonLayout },
    { './patterns.ts': patterns, '../../json/checks.ts': checks },
  ),
  'src/config/is-options.ts': compileSchemas({ isOptions: optionsSchema() }, ofOptions),
}
