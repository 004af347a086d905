import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'

const { ROOT_PLUGIN, INLINE, OPTIONS } = process.env
const plugins = ROOT_PLUGIN ? [cassettes(JSON.parse(OPTIONS ?? '{}'))] : []

/** The same packages, as projects that the root config writes out. */
const inline = ['a', 'b', 'c'].map((name) => ({
  extends: INLINE === 'extends' ? (true as const) : undefined,
  root: `./packages/${name}`,
  // Its options win over those of the root config.
  plugins: name === 'a' && process.env.IN?.includes('a') ? [cassettes({ dir: 'own' })] : [],
  test: { name },
}))

export default defineConfig({
  plugins,
  test: { projects: INLINE ? inline : ['packages/*'] },
})
