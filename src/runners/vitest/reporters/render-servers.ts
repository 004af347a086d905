import type { SeenServers } from '../../../transports/reports.ts'

/**
 * Warns of names in the option `mcp` that match no server. `undefined` if every name matched, or if the run used no
 * other server that could be meant.
 *
 * @param names the names in the option
 */
export function renderServers(
  names: readonly string[],
  servers: ReadonlyArray<Pick<SeenServers, 'found' | 'others'>>,
): string | undefined {
  const found = new Set(servers.flatMap((one) => one.found))
  const others = [...new Set(servers.flatMap((one) => one.others))]
  const missing = [...new Set(names)].filter((name) => !found.has(name))
  if (missing.length === 0 || others.length === 0) return undefined
  const quoted = missing.map((name) => `'${name}'`).join(', ')
  return [
    `the option mcp names ${quoted}, and no server of this run is called so. These are real, and not recorded:`,
    ...others.map((place) => `  ${place}`),
    'A name is one or more whole words of the command, or of the address.',
  ].join('\n')
}
