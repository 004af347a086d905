import { createRequire } from 'node:module'
import { format, inspect } from 'node:util'
import { quoteWord } from '../../text/command-line.ts'
import { CassetteError } from '../../errors.ts'
import { layers } from '../../transports/layers.ts'
import { enclose, promised } from './enclose.ts'
import { runWithCassette } from './file-cassettes.ts'
import { ProcessCassettes } from './process-cassettes.ts'
import { chosenBy } from './runner-owner.ts'

export { setCassetteOptions } from './process-cassettes.ts'
export type { RunnerOptions } from './file-cassettes.ts'

type Runs = (...args: unknown[]) => unknown

/** A function that declares a test or a suite, with those that declare others: `test.skip`, `test.each(…)`. */
type Declare = ((...args: unknown[]) => unknown) & Record<string, unknown>

/** What is used here of Bun. */
interface BunGlobal {
  /** The file that runs. */
  readonly main: string
  /** What a test file gets for its globals, and by `require('bun:test')`. */
  jest(file: string): BunTest
}

type BunTest = Record<string, unknown> & {
  mock: { module(name: string, make: () => object): unknown }
  afterAll(run: () => Promise<void>): void
}

const bun = (globalThis as { Bun?: BunGlobal }).Bun
if (!bun)
  throw new CassetteError(
    'refused',
    'vitest-cassette/bun is for the tests of Bun, and this is another runtime. In bunfig.toml:\n' +
      '  [test]\n  preload = ["vitest-cassette/bun"]',
  )
const base = createRequire(import.meta.url)('bun:test') as BunTest

const cassettes = new ProcessCassettes(command)
const endFileScope = layers.bun().followFileScope(() => cassettes.of(bun.main).scope)

/** The titles of the suites in which a test is declared now. Bun runs the functions of suites one after the other. */
let suites: readonly string[] = []

/** The tests of a file. */
interface Declared {
  /** How many have the same titles, by these. */
  counts: Map<string, number>
  waiting: Set<string>
  hasRun: boolean
}
const declared = new Map<string, Declared>()

/** How many tests run at this time. */
let running = 0

/** A kind of tests, whose failures Bun does not count: `fails` where it expects one. */
type Kind = 'fails' | 'todo' | undefined

const KINDS: Record<string, Kind> = {
  concurrent: undefined,
  failing: 'fails',
  only: undefined,
  serial: undefined,
  skip: undefined,
  todo: 'todo',
}

const { test, describe } = base as Record<string, Declare>
const ofTests = { test, it: test, xtest: test!.skip, xit: test!.skip } as Record<string, Declare>
const ofSuites = { describe, xdescribe: describe!.skip } as Record<string, Declare>
const hooks = ['beforeAll', 'beforeEach', 'afterEach', 'afterAll'] as const

/**
 * What a test file gets in the place of the functions of `bun:test`: each test has a cassette, into which LLM calls are
 * recorded and from which they are replayed, and a changed prompt fails the test with the diff, also where the test
 * catches the error.
 */
const ours = Object.fromEntries([
  ...Object.entries(ofTests).map(([name, one]) => [name, wrap(one, declareTest)]),
  ...Object.entries(ofSuites).map(([name, one]) => [name, wrap(one, declareSuite)]),
  ...hooks.map((name) => {
    const register = base[name] as Declare
    return [
      name,
      (hook: Runs, ...more: unknown[]) =>
        register(
          enclose(hook, (run) => cassettes.of(bun.main).run(run)),
          ...more,
        ),
    ]
  }),
]) as Record<string, unknown>

const module = { ...base, ...ours }
base.mock.module('bun:test', () => ({ ...module, default: module }))
for (const [name, exports] of layers.bun().standIns()) base.mock.module(name, () => exports)
const { jest } = bun
bun.jest = (file) => ({ ...jest(file), ...ours })

base.afterAll(async () => {
  for (const [file, { waiting }] of declared) if (waiting.size > 0) cassettes.of(file).skip()
  endFileScope()
  await cassettes.end()
})

type Declares = (declare: Declare, args: unknown[], kind: Kind) => unknown

/** Wraps a function that declares tests or suites, and all that it has. */
function wrap(declare: Declare, declares: Declares, kind?: Kind): Declare {
  return new Proxy(declare, {
    apply: (_target, _this, args) => declares(declare, args, kind),
    get(_target, name) {
      const value: unknown = Reflect.get(declare, name)
      if (typeof value !== 'function' || typeof name !== 'string') return value
      const own = value as Declare
      if (name === 'each') return declareEach(declare, declares, kind)
      if (name in KINDS) return wrap(own, declares, KINDS[name] ?? kind)
      const conditional = /^(?:(\w+)I|i)f$/.exec(name)
      if (!conditional) return value
      return (condition: unknown) =>
        wrap(
          own.call(declare, condition) as Declare,
          declares,
          (condition ? KINDS[conditional[1] ?? ''] : undefined) ?? kind,
        )
    },
  })
}

/** Declares a test, or a suite, for each row of a table. */
function declareEach(declare: Declare, declares: Declares, kind: Kind) {
  return (table: readonly unknown[]) =>
    (title: unknown, ...others: unknown[]): void => {
      for (const [at, row] of table.entries()) {
        const values = Array.isArray(row) ? (row as unknown[]) : [row]
        const given = others.map((one) =>
          typeof one === 'function' ? withRow(one as Runs, values) : one,
        )
        declares(declare, [titleOfRow(String(title), values, at), ...given], kind)
      }
    }
}

/** A function called with a row, and with the callback of its test where it wants one more. */
function withRow(fn: Runs, row: readonly unknown[]): Runs {
  return fn.length > row.length ? (done) => fn(...row, done) : () => fn(...row)
}

/** The title of a row, in the words of Jest. */
function titleOfRow(title: string, row: readonly unknown[], at: number): string {
  const [first] = row
  const named = title.replaceAll(/\$([\w.]+)/g, (word, path: string) => {
    let value: unknown = first
    for (const name of path.split('.')) value = (value as Record<string, unknown> | null)?.[name]
    return value === undefined ? word : typeof value === 'string' ? value : inspect(value)
  })
  let next = 0
  return named.replaceAll(/%([sdifjop#%])/g, (word, kind: string) => {
    if (kind === '%') return '%'
    if (kind === '#') return String(at)
    if (next >= row.length) return word
    const value = row[next++]
    return kind === 'p' ? inspect(value) : format(word, value)
  })
}

function declareSuite(declare: Declare, args: unknown[]): unknown {
  const within = [...suites, titleOf(args[0])]
  const inside = (run: () => unknown) => async (): Promise<void> => {
    const outside = suites
    suites = within
    try {
      await run()
    } finally {
      suites = outside
    }
  }
  return declare(
    ...args.map((one, at) => (at > 0 && typeof one === 'function' ? inside(one as Runs) : one)),
  )
}

function declareTest(declare: Declare, args: unknown[], kind: Kind): unknown {
  const at = args.findIndex((one, index) => index > 0 && typeof one === 'function')
  if (at === -1) return declare(...args)
  const own = args[at] as Runs
  const file = bun!.main
  const titles = [...suites, titleOf(args[0])]
  const { place, ordinal } = note(file, titles)
  const { retry = 0 } = Object(args.find((one) => typeof one === 'object') ?? {}) as {
    retry?: number
  }
  let attempts = 0
  const run = (): unknown => (own.length === 0 ? own() : promised((done) => own(done)))
  const wrapped = async (): Promise<void> => {
    const ofFile = cassettes.of(file)
    const { waiting } = Object.assign(declared.get(file)!, { hasRun: true })
    waiting.delete(place)
    attempts++
    let expected: { error: unknown } | undefined
    const opened = ofFile.begin(titles, place, { ordinal, isAlone: running++ === 0 })
    await runWithCassette(
      opened,
      async () => {
        if (kind !== 'fails') return run()
        try {
          await run()
        } catch (error) {
          expected = { error }
          return undefined
        }
        throw new CassetteError('refused', 'The test passed, and is expected to fail.')
      },
      {
        isTriedAgain: () => attempts <= retry,
        keep: (failure) => kind !== undefined && (ofFile.keep(failure), true),
      },
    ).finally(() => running--)
    if (expected) throw expected.error
  }
  return declare(...args.with(at, wrapped))
}

/** Notes a test of a file, and tells it from those before it that have the same titles. */
function note(file: string, titles: readonly string[]): { place: string; ordinal: number } {
  let known = declared.get(file)
  // With --rerun-each, a file is loaded again.
  if (!known || known.hasRun)
    declared.set(file, (known = { counts: new Map(), waiting: new Set(), hasRun: false }))
  const key = JSON.stringify(titles)
  const ordinal = known.counts.get(key) ?? 0
  known.counts.set(key, ordinal + 1)
  const place = `${key} ${ordinal}`
  known.waiting.add(place)
  return { place, ordinal }
}

function titleOf(name: unknown): string {
  return typeof name === 'function' ? name.name : String(name)
}

function command(file: string, titles: readonly string[]): string {
  return `bun test ${quoteWord(`./${file}`)}${chosenBy('-t', titles)}`
}
