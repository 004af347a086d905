import type { TestProject } from 'vitest/node'
import { CassetteError } from '../../errors.ts'
import { packValue } from '../../json/pack.ts'
import { remember } from '../../remember.ts'
import { readProvided } from './setup/provided-config.ts'
import type { ProvidedConfig } from './setup/vitest-hooks.ts'

/**
 * The configuration of a project as text, which every process reads as it was given. It is plain JSON where it has no
 * rules, so that most test files load nothing to read it.
 *
 * @throws CassetteError as {@link packOptions} does
 */
export function packConfig(provided: ProvidedConfig): string {
  const { volatile, redact } = provided.config
  const text = packValue(provided, (place, what) => notData(place.replace('config.', ''), what))
  const isPlain = volatile.length === 0 && redact.length === 0 && text.endsWith(',[]]')
  return isPlain ? JSON.stringify(provided) : text
}

/**
 * Options of a config file as text.
 *
 * @throws CassetteError `invalid-option` for a function, or an object of a class: both lose what they do on the way
 */
export function packOptions(options: object): string {
  return packValue(options, notData)
}

function notData(place: string, what: string): CassetteError {
  const [option = ''] = place.split('.')
  return new CassetteError(
    'invalid-option',
    `${place}: ${what} cannot travel from the config file to the tests. Give it to configureCassettes({ ${option} }) in a set-up file.`,
  )
}

const read = remember(readProvided)

/** What a project provides to its tests; `undefined` where the plugin does not set it up. */
export function providedTo(project: TestProject): ProvidedConfig | undefined {
  const text = project.getProvidedContext()['vitest-cassette']
  return text === undefined ? undefined : read(text)
}
