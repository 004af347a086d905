import { mkdirSync, writeFileSync } from 'node:fs'
import { rolldown } from 'rolldown'

/** The SDKs that most test projects use, and the entries of each. */
const SDKS: Record<string, string[]> = {
  openai: ['index', 'bedrock', 'resources/responses/ws'],
  '@anthropic-ai/sdk': ['index'],
}

/**
 * Bundles the SDKs that hundreds of processes of the test projects load: what costs in them is the number of their files.
 *
 * @param folder a `node_modules`
 */
export async function bundleSdks(folder: string): Promise<void> {
  for (const [name, entries] of Object.entries(SDKS)) {
    const input = Object.fromEntries(
      entries.map((entry) => [entry, entry === 'index' ? name : `${name}/${entry}`]),
    )
    const bundle = await rolldown({ input, platform: 'node', logLevel: 'silent' })
    const dir = `${folder}/${name}`
    await bundle.write({ dir, format: 'esm', entryFileNames: '[name].mjs' })
    await bundle.close()
    const exports = entries.map((entry) => [
      entry === 'index' ? '.' : `./${entry}`,
      `./${entry}.mjs`,
    ])
    mkdirSync(dir, { recursive: true })
    writeFileSync(
      `${dir}/package.json`,
      JSON.stringify({ name, type: 'module', exports: Object.fromEntries(exports) }),
    )
  }
}
