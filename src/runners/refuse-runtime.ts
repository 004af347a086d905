import { CassetteError } from '../errors.ts'

/** The runtimes besides Node, and the command of each that runs tests. */
const OTHERS = { bun: ['Bun', 'bun test'], deno: ['Deno', 'deno test -A'] } as const

/**
 * Refuses to open a cassette inside of a runtime whose clients nothing here sees: their calls would reach the provider.
 *
 * @throws CassetteError `refused`
 */
export function refuseOtherRuntime(
  versions: Readonly<Record<string, string | undefined>> = process.versions,
): void {
  for (const [key, [name, command]] of Object.entries(OTHERS))
    if (versions[key] !== undefined)
      throw new CassetteError(
        'refused',
        `A cassette cannot be opened inside of ${name} ${versions[key]}: its fetch and its other clients are not those of Node, ` +
          `so their calls would reach the provider.\nLet the command of this package, which runs on Node, answer them:\n  npx vitest-cassette run -- ${command}`,
      )
}
