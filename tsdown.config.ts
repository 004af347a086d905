import { readFileSync, writeFileSync } from 'node:fs'
import { defineConfig } from 'tsdown'

const common = {
  target: 'node22.12',
  platform: 'node',
  tsconfig: 'tsconfig.build.json',
} as const

/** What `--require` loads into the processes that tests start; on its own, as it has to be CommonJS. */
const guard = defineConfig({
  ...common,
  entry: { guard: 'src/intercept/guard-process.ts' },
  format: 'cjs',
  dts: false,
  clean: false,
})

const library = defineConfig({
  ...common,
  entry: {
    index: 'src/index.ts',
    plugin: 'src/vitest/plugin.ts',
    setup: 'src/vitest/setup.ts',
    'fill-globals': 'src/vitest/fill-globals.ts',
    runtime: 'src/vitest/runtime.ts',
    engine: 'src/vitest/engine.ts',
    network: 'src/intercept/network.ts',
    'open-cassette': 'src/program/open-cassette.ts',
    cli: 'src/cli/main.ts',
  },
  format: 'esm',
  dts: true,
  hooks: {
    // The set-up file that the plugin names has to be TypeScript, or Vitest would run it once per worker.
    'build:done': () => {
      const source = readFileSync('src/vitest/setup.ts', 'utf8')
      writeFileSync('dist/setup-plugin.mts', source.replaceAll(/(?<='\.\/.+)\.ts(?=')/g, '.mjs'))
    },
  },
})

export default [library, guard].flat()
