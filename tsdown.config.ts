import { readFileSync, writeFileSync } from 'node:fs'
import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    plugin: 'src/vitest/plugin.ts',
    setup: 'src/vitest/setup.ts',
    runtime: 'src/vitest/runtime.ts',
  },
  format: 'esm',
  target: 'node22.12',
  platform: 'node',
  tsconfig: 'tsconfig.build.json',
  dts: true,
  hooks: {
    // The set-up file that the plugin names has to be TypeScript, or Vitest would run it once per worker.
    'build:done': () => {
      const source = readFileSync('src/vitest/setup.ts', 'utf8')
      writeFileSync('dist/setup-plugin.mts', source.replace('./runtime.ts', './runtime.mjs'))
    },
  },
})
