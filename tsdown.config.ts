import { copyFileSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { ChunkingContext, Plugin } from 'rolldown'
import { defineConfig } from 'tsdown'
import * as z from 'zod/mini'
import { cassetteSchema } from './src/cassette/format/schema.ts'
import { compiledSchemas } from './tooling/compiled-schemas.ts'
import {
  BUNDLED,
  isOfPackage,
  lateFiles,
  leavesOutBrowsers,
  loadsLateFiles,
  makesLateFiles,
  shipsLicences,
} from './tooling/bundled-packages.ts'
import { listPrices } from './tooling/list-prices.ts'
import { providerTables } from './tooling/provider-tables.ts'
import { writtenTypes } from './tooling/written-types.ts'

const common = {
  target: 'node22.12',
  platform: 'node',
  tsconfig: 'tsconfig.build.json',
  define: { 'import.meta.isBuilt': 'true' },
  // The names of sources beside their code would be a fiftieth of what loads.
  inputOptions: { experimental: { attachDebugInfo: 'none' } },
} as const

/**
 * What `--require` loads into the processes that tests start, and what that loads when one asks what may be an LLM call.
 * Each on its own, as it has to be CommonJS, and one file.
 */
const GUARDS = {
  guard: 'transports/intercept/guard/guard-process.ts',
  'program-rules': 'transports/intercept/guard/program-rules.ts',
  'closed-program': 'transports/intercept/guard/closed-program.ts',
  'ask-gateway': 'transports/gateway/ask-gateway.ts',
  visitors: 'transports/gateway/visitors.ts',
  'who-listens': 'transports/intercept/context/who-listens.ts',
  'class-of-node': 'real/class-of-node.ts',
  'guard-bun': 'transports/intercept/bun/guard-program.ts',
}

/** A quarter of what loads would be explanations for those who read the sources. */
const SHIPPED_COMMENTS = { jsdoc: false, annotation: false }

const guards = Object.entries(GUARDS).map(([name, file]) =>
  defineConfig({
    ...common,
    entry: { [name]: `src/${file}` },
    format: 'cjs',
    dts: false,
    clean: false,
    plugins: [compiledSchemas, listPrices, providerTables, loadsLateFiles, shipsLicences],
    // Each loaded from its own file where it is needed.
    deps: {
      neverBundle: [
        /(?:without-secrets|run-redactions|\/volatile|credential-parts|query.bytes|read-back)\.ts$/,
      ],
    },
    outputOptions: { comments: SHIPPED_COMMENTS },
  }),
)

/** What loads of other packages when it is first asked. */
const late = defineConfig({
  ...common,
  entry: lateFiles,
  format: 'cjs',
  dts: false,
  clean: false,
  plugins: [makesLateFiles, shipsLicences],
  deps: { onlyBundle: BUNDLED },
  outputOptions: { comments: SHIPPED_COMMENTS },
})

/** What users import. */
const PUBLIC = {
  index: 'src/runners/index.ts',
  plugin: 'src/tools/plugin.ts',
  setup: 'src/runners/vitest/setup/setup.ts',
  'open-cassette': 'src/runners/program/open-cassette.ts',
  conversations: 'src/histories/conversation-store.ts',
  playwright: 'src/runners/playwright/playwright.ts',
  'base-url-from': 'src/transports/gateway/base-url-from.ts',
  'node-test': 'src/runners/other/node-test.ts',
  mocha: 'src/runners/other/mocha.ts',
  jest: 'src/runners/other/jest.ts',
  bun: 'src/runners/other/bun.ts',
}

const library = defineConfig({
  ...common,
  entry: {
    ...PUBLIC,
    'set-up-run': 'src/runners/vitest/set-up-run.ts',
    'bench-once': 'src/runners/vitest/bench-once.ts',
    runtime: 'src/runners/vitest/setup/runtime.ts',
    keys: 'src/runners/lent-key.ts',
    'program-failures': 'src/runners/program/program-failures.ts',
    calls: 'src/transports/intercept/answer/calls-layer.ts',
    beside: 'src/transports/intercept/call/answer-side-request.ts',
    'advise-on-text': 'src/cassette/format/advise-on-text.ts',
    'parse-cassette': 'src/cassette/parse.ts',
    'read-back': 'src/cassette/format/read-back.ts',
    samples: 'src/cassette/format/samples.ts',
    'other-head': 'src/cassette/format/other-head.ts',
    'query-bytes': 'src/wire/query/bytes.ts',
    'rare-readings': 'src/providers/kit/rare-readings.ts',
    volatile: 'src/prompt/volatile.ts',
    'credential-parts': 'src/secrets/find/credential-parts.ts',
    closing: 'src/runners/vitest/setup/closing-layer.ts',
    paths: 'src/cassette/paths.ts',
    sealed: 'src/transports/intercept/answer/sealed-layer.ts',
    replay: 'src/transports/intercept/answer/replay-layer.ts',
    options: 'src/runners/vitest/api/set-options.ts',
    checks: 'src/config/check-options.ts',
    schema: 'src/config/parse-options.ts',
    'check-redact': 'src/config/schema/check-redact.ts',
    engine: 'src/transports/intercept/answer/engine-layer.ts',
    matchers: 'src/runners/vitest/api/matchers.ts',
    explain: 'src/attempt/closing/explain-layer.ts',
    merge: 'src/recording/keep-unchanged.ts',
    faults: 'src/features/faults/faults.ts',
    'compare-pictures': 'src/features/compare-pictures.ts',
    'in-order': 'src/engine/session/in-order.ts',
    'hash-growing': 'src/providers/kit/hash-growing.ts',
    'live-values': 'src/attempt/live-values.ts',
    redactor: 'src/secrets/redactor.ts',
    'keep-sample': 'src/replay/keep-sample.ts',
    'wait-for-turn': 'src/replay/wait-for-turn.ts',
    'as-imported': 'src/engine/session/as-imported.ts',
    'sent-after': 'src/recording/sent-after.ts',
    told: 'src/features/written/told-layer.ts',
    'rare-cases': 'src/features/all-rare-cases.ts',
    'credential-labels': 'src/secrets/find/credential-labels.ts',
    redactions: 'src/secrets/rules/run-redactions.ts',
    'without-secrets': 'src/secrets/without-secrets.ts',
    'hide-in-report': 'src/secrets/notes/hide-in-report.ts',
    'why-slow': 'src/attempt/closing/why-slow.ts',
    'why-unsealed': 'src/attempt/closing/why-unsealed.ts',
    rows: 'src/runners/vitest/setup/rows.ts',
    'find-elsewhere': 'src/runners/vitest/setup/find-elsewhere.ts',
    'socket-conversation': 'src/transports/intercept/websocket/socket-conversation.ts',
    requests: 'src/transports/intercept/answer/requests-layer.ts',
    connections: 'src/transports/intercept/answer/connections-layer.ts',
    closed: 'src/transports/intercept/guard/closed-layer.ts',
    taking: 'src/transports/intercept/connection/open-taker.ts',
    network: 'src/transports/intercept/http/network.ts',
    gateway: 'src/transports/gateway.ts',
    'bun-entrances': 'src/transports/intercept/answer/bun-layer.ts',
    mcp: 'src/transports/intercept/mcp/mcp-layer.ts',
    cli: 'src/tools/main.ts',
  },
  format: 'esm',
  // Its main file is no module, and requires the others by names that are put together.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  dts: false,
  plugins: [
    compiledSchemas,
    listPrices,
    providerTables,
    loadsLateFiles,
    leavesOutBrowsers,
    shipsLicences,
  ],
  deps: { onlyBundle: BUNDLED },
  outputOptions: {
    comments: SHIPPED_COMMENTS,
    // The short names of exports are longer than none: each stands beside the name.
    minifyInternalExports: false,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name: chunkOf, debugName: 'layers' }],
    },
  },
  hooks: {
    // Editors check and explain the files under __recordings__/ by it.
    'build:prepare': () => {
      const schema = z.toJSONSchema(cassetteSchema, { target: 'draft-7', io: 'input' })
      const titled = { title: 'vitest-cassette recording', ...schema }
      writeFileSync('cassette.schema.json', `${JSON.stringify(titled, null, 2)}\n`)
    },
    // A file of its own beside `setup.mjs`: Vitest loads it, and so resolves its own `vitest` for it.
    'build:done': () => {
      const source = readFileSync('src/runners/vitest/setup/setup.ts', 'utf8')
      copyFileSync('src/runners/program/open-cassette.cjs', 'dist/open-cassette.cjs')
      cpSync('src/transports/python', 'dist/python', {
        recursive: true,
        filter: (path) => !path.includes('__pycache__'),
      })
      writeFileSync('dist/open-cassette.d.cts', "export * from './open-cassette.mjs'\n")
      const code = source.replaceAll(/^\/\/.*\n/gm, '').replaceAll(/(?<='\.\/.+)\.ts(?=')/g, '.mjs')
      writeFileSync('dist/setup-plugin.mjs', code)
      joinEntries('dist')
    },
  },
})

/** What each of these needs that those before it do not is one file. */
const LAYERS = {
  light: 'runners/vitest/setup/runtime.ts',
  keys: 'runners/lent-key.ts',
  paths: 'cassette/paths.ts',
  sealed: 'transports/intercept/answer/sealed-layer.ts',
  calls: 'transports/intercept/answer/calls-layer.ts',
  closing: 'runners/vitest/setup/closing-layer.ts',
  requests: 'transports/intercept/answer/requests-layer.ts',
  taking: 'transports/intercept/connection/open-taker.ts',
  connections: 'transports/intercept/answer/connections-layer.ts',
  replay: 'transports/intercept/answer/replay-layer.ts',
  redactor: 'secrets/redactor.ts',
  checks: 'config/check-options.ts',
  options: 'runners/index.ts',
  ended: 'runners/vitest/reporters/at-replay-end.ts',
  engine: 'transports/intercept/answer/engine-layer.ts',
}

/** What a program loads that opens a cassette. */
const PROGRAM = 'runners/program/open-cassette.ts'

/** What has MSW. */
const NETWORK = 'transports/intercept/http/network.ts'

/** What the process of Vitest loads before its run. */
const PLUGIN = 'tools/plugin.ts'

/** What loads where no Vitest runs. */
const ELSEWHERE = [PROGRAM, PLUGIN].concat(
  Object.values(LAYERS).filter(
    (entry) => ![LAYERS.light, LAYERS.closing, LAYERS.options].includes(entry),
  ),
)

/** The layers that check options. */
const CHECKS = new Set(['checks', 'options'])

/** The layers that load late, each with what else may need its modules. Programs close no tests. */
const LATE: Record<string, readonly string[]> = {
  closing: [LAYERS.connections, LAYERS.replay, LAYERS.engine],
  connections: [LAYERS.replay],
  replay: [PLUGIN],
}

const layers = new Map<string, Set<string>>()

/** The file in which a module is shipped; `null` where it is used alone, or when something rare happens. */
function chunkOf(id: string, context: ChunkingContext): string | null {
  if (/\.d\.[cm]?ts$/.test(id)) return null
  if (id.includes('/node_modules/zod/')) return 'zod'
  if (isOfPackage(id) && reachableFrom(NETWORK).has(id)) return 'msw'
  const isOf = (entry: string): boolean => reachableFrom(entry).has(id)
  const [name] = Object.entries(LAYERS).find(([, entry]) => isOf(entry)) ?? []
  if (name === undefined)
    return isOf(PROGRAM) ? (isOf(PLUGIN) ? 'shared-parts' : 'open-cassette-parts') : null
  // Tests of Vitest alone need the rest of their set-up.
  if (name === 'light') return ELSEWHERE.some(isOf) ? 'light-parts' : 'runtime-parts'
  // Most runs end without the engine, which loads the end of a replay too, and prints no summary.
  if (name === 'engine' && isOf(PLUGIN)) return null
  if (name === 'ended' && (isOf(PLUGIN) || !isOf(LAYERS.engine))) return null
  const isOfEntry = isOf(LAYERS.options) && !CHECKS.has(name)
  const isOfOthers = CHECKS.has(name)
    ? isOf(PROGRAM)
    : name === 'closing' && (isOf(LAYERS.sealed) || isOf(PROGRAM))
  // Little: what a first call shares with files that import the package, and with the process of Vitest.
  if (isOfEntry || isOfOthers) return 'shared-parts'
  // Addresses, which the process of Vitest reads too; a first call loads both.
  if (name === 'sealed' && isOf(PLUGIN)) return 'paths-parts'
  // What every answer needs, whether a session gives it or not.
  if (name === 'sealed' && isOf(LAYERS.replay)) return 'answer-parts'
  // What reads cassettes, for the process of Vitest too.
  if (name === 'replay' && isOf(LAYERS.ended)) return 'reader-parts'
  // What reads requests on a connection, for the guard too.
  if (name === 'taking' && [LAYERS.connections, LAYERS.engine].some(isOf)) return 'wire-parts'
  // Little too: what these share, so that none of them loads another.
  const isLate = LATE[name]?.some(isOf)
  return isLate ? 'late-parts' : `${name}-parts`

  function reachableFrom(entry: string): Set<string> {
    if (!layers.has(entry)) layers.set(entry, reachable(`${import.meta.dirname}/src/${entry}`))
    return layers.get(entry)!
  }

  function reachable(from: string, found = new Set<string>()): Set<string> {
    if (found.has(from)) return found
    found.add(from)
    for (const next of context.getModuleInfo(from)?.importedIds ?? []) reachable(next, found)
    return found
  }
}

/**
 * Puts the file of each layer in the place of the entry that only names what it exports: the number of files costs.
 */
function joinEntries(folder: string): void {
  const names = readdirSync(folder).filter((name) => name.endsWith('.mjs'))
  const texts = new Map(names.map((name) => [name, readFileSync(`${folder}/${name}`, 'utf8')]))
  const joined = new Map<string, { entry: string; named: ReadonlyMap<string, string> }>()
  for (const [entry, text] of texts) {
    const [, list, file] = /^export \{ (.+) \} from "\.\/(.+-parts-.+)";\s*$/.exec(text) ?? []
    if (list !== undefined && file?.startsWith(entry.replace('.mjs', '-parts-')))
      joined.set(file, { entry, named: namesIn(list) })
  }
  for (const [name, text] of texts) {
    const { entry = name, named } = joined.get(name) ?? {}
    if (named === undefined && [...joined.values()].some((one) => one.entry === name)) continue
    const own = named
      ? text.replace(/(?<=^export \{ ).+(?= \};$)/m, (list) => renamed(list, named, 'exported'))
      : text
    const whole = own.replaceAll(
      /^((?:im|ex)port \{ )(.+)( \} from "\.\/)([^"]+)(?=")/gm,
      (all, start: string, list: string, middle: string, file: string) => {
        const of = joined.get(file)
        return of ? `${start}${renamed(list, of.named, 'imported')}${middle}${of.entry}` : all
      },
    )
    writeFileSync(
      `${folder}/${entry}`,
      whole.replaceAll(/(?<=import\("\.\/)[^"]+/g, (file) => joined.get(file)?.entry ?? file),
    )
    if (entry !== name) rmSync(`${folder}/${name}`)
  }
}

/** The names that a list exports, by those which it imports. */
function namesIn(list: string): Map<string, string> {
  return new Map(
    list.split(', ').map((one) => {
      const [imported, exported = imported] = one.split(' as ') as [string, string?]
      return [imported, exported]
    }),
  )
}

/** A list of imports or exports in which names have others on the side of the module that exports them. */
function renamed(
  list: string,
  named: ReadonlyMap<string, string>,
  side: 'imported' | 'exported',
): string {
  return list
    .split(', ')
    .map((one) => {
      const [first, second = first] = one.split(' as ') as [string, string?]
      const pair =
        side === 'imported'
          ? [named.get(first) ?? first, second]
          : [first, named.get(second) ?? second]
      return pair[0] === pair[1] ? pair[0] : pair.join(' as ')
    })
    .join(', ')
}

/** What the pages of Vitest's browser mode load. */
const pageOfTests = defineConfig({
  entry: {
    'setup-page': 'src/runners/vitest/page/set-up-page.ts',
    'setup-older-page': 'src/runners/vitest/page/set-up-older-page.ts',
  },
  format: 'esm',
  platform: 'browser',
  target: 'es2023',
  tsconfig: 'tsconfig.build.json',
  dts: false,
  clean: false,
  plugins: [shipsLicences],
  deps: { neverBundle: [/^vitest(?:\/|$)/] },
  outputOptions: { entryFileNames: '[name].mjs', chunkFileNames: 'page-parts.mjs' },
})

/** What runs in workerd, beside the tests of Cloudflare's plugin. */
const setUpOfWorkers = defineConfig({
  entry: { 'setup-worker': 'src/runners/vitest/workers/set-up-worker.ts' },
  format: 'esm',
  platform: 'neutral',
  target: 'es2023',
  tsconfig: 'tsconfig.build.json',
  dts: false,
  clean: false,
  plugins: [shipsLicences],
  deps: { neverBundle: ['vitest', /^(?:node|cloudflare):/] },
  outputOptions: { entryFileNames: '[name].mjs' },
})

/** Our types name none of these: to read all of them takes long. */
const leavesOutTypes: Plugin = {
  name: 'leaves-out-types',
  resolveId: (id) =>
    BUNDLED.some((name) => `${id}/`.startsWith(`${name}/`))
      ? { id, external: true, moduleSideEffects: false }
      : undefined,
}

/** The types of what users import. */
const types = defineConfig({
  ...common,
  entry: PUBLIC,
  format: 'esm',
  dts: { emitDtsOnly: true },
  plugins: [leavesOutTypes, writtenTypes],
  clean: false,
})

/** The parts of the style sheet of a report, in the order in which they count. */
const STYLES = [
  'base',
  'list',
  'conversation',
  'entry',
  'pictures',
  'failures',
  'rehearsal',
  'overview',
  'phone',
]

/** The page of a report: one script, and what it stands in, for browsers. */
const page = defineConfig({
  entry: { page: 'src/tools/page/view/main.ts' },
  outDir: 'dist/report',
  format: 'iife',
  platform: 'browser',
  target: 'es2024',
  tsconfig: 'tsconfig.build.json',
  dts: false,
  minify: true,
  clean: false,
  plugins: [shipsLicences],
  outputOptions: { entryFileNames: '[name].js' },
  hooks: {
    'build:done': () => {
      copyFileSync('src/tools/page/view/index.html', 'dist/report/index.html')
      const styles = STYLES.map((name) =>
        readFileSync(`src/tools/page/view/style/${name}.css`, 'utf8'),
      )
      writeFileSync('dist/report/page.css', styles.join('\n'))
    },
  },
})

export default [library, types, guards, late, page, pageOfTests, setUpOfWorkers].flat(2)
