import { readEnvironment } from '../../../config/environment.ts'
import type { CassetteOptions, RunOption } from '../../../config/options.ts'
import { resolveConfig } from '../../../config/resolved-config.ts'
import type { WithSpeakers } from '../../../features/ask-speakers.ts'
import { CassetteError } from '../../../errors.ts'
import { layers } from '../../../transports/layers.ts'
import { checkOptions, pluginOptionsIn } from '../../../config/check-options.ts'
import { currentFile } from './current-file.ts'

/**
 * Changes options for the test file that is being set up: call it in a set-up file, or at the top of a
 * test file. Unlike the plugin it takes functions. `dir`, `orphans` and `report`, which are about the whole run,
 * are the plugin's alone.
 *
 * @throws CassetteError `invalid-option` for options that do not exist, and where no set-up ran before.
 */
export function configureCassettes(
  options: WithSpeakers<Omit<CassetteOptions, 'dir' | RunOption>>,
): void {
  const checked = checkOptions(options)
  const [name] = pluginOptionsIn(checked)
  if (name !== undefined)
    throw new CassetteError(
      'invalid-option',
      `${name} is an option of the plugin: cassettes({ ${name} }).`,
    )
  const { config } = currentFile('configureCassettes')
  Object.assign(config, resolveConfig({ ...config, ...checked }, readEnvironment(process.env)))
  if (config.network === 'closed') layers.closed().begin(config)
}
