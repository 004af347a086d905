import type { RunnerTestCase, RunnerTestFile, TestRunner } from 'vitest'
import { CassetteError, withFrames } from '../../../errors.ts'
import { replaceOnce } from '../../../real/builtin.ts'
import type { VitestHooks } from '../setup/vitest-hooks.ts'
import { type AroundHook, encloseCode, type KeepScope } from './around.ts'

// The runner of Vitest 3.2 and 4.0 has no hook around a test or a file. It calls methods of its class where they begin,
// and hooks that can be made the last ones where they end.

type Hook = (...args: unknown[]) => unknown

/** Functions that run at the end of an attempt, as the runner notes them on its test. */
interface Noted {
  onFinished?: Hook[]
  onFailed?: Hook[]
}

type Task = RunnerTestCase & Noted

/** What is replaced in the runner's class. */
interface Runner {
  config: { sequence: { hooks: Sequence } }
  onBeforeRunFiles?(this: Runner, files: RunnerTestFile[]): unknown
  onBeforeTryTask?(this: Runner, test: Task, ...rest: unknown[]): unknown
}

type Sequence = 'stack' | 'list' | 'parallel'

/** What these releases export from `vitest/runners` and `vitest/suite`. */
export interface OlderModules {
  VitestTestRunner: { prototype: Runner }
  NodeBenchmarkRunner: { prototype: Runner }
  getCurrentSuite: () => SuiteCollector
  getFn: typeof TestRunner.getTestFn
  getHooks: (suite: object) => SuiteHooks
}

type SuiteHooks = Record<'beforeAll' | 'afterAll', Hook[]>

interface SuiteCollector {
  name: string
  suite: object
  on: (name: 'beforeAll' | 'beforeEach', hook: Hook) => void
}

type AroundTest = AroundHook<object>
type AroundFile = (run: () => Promise<void>, none: object, file: RunnerTestFile) => unknown

/** The key under which the runner finds how long a function may take that a `beforeAll` returns. */
const CLEANUP_TIMEOUT = Symbol.for('VITEST_CLEANUP_TIMEOUT')

interface FileHooks {
  keepScope: KeepScope
  ofFile: AroundFile[]
  /** By suite; `undefined` is the top of the file. */
  ofTests: Map<object | undefined, AroundTest[]>
  /** The files and tests around which they run. */
  begun: WeakSet<object>
}

/**
 * Makes the hooks of later releases of what Vitest 3.2 and 4.0 have.
 *
 * @param vitest what such a release exports
 * @param keepScope is called where a hook runs a test or file, and returns what enters that scope for the runner
 */
export function hooksOfOlder(
  vitest: object,
  {
    VitestTestRunner: { prototype },
    NodeBenchmarkRunner,
    getCurrentSuite,
    getFn,
    getHooks,
  }: OlderModules,
  keepScope: KeepScope,
): VitestHooks {
  const hooks: FileHooks = { keepScope, ofFile: [], ofTests: new Map(), begun: new WeakSet() }

  for (const ofRunner of [prototype, NodeBenchmarkRunner.prototype])
    before(ofRunner, 'onBeforeRunFiles', function (files) {
      for (const file of files)
        if (!['skip', 'todo'].includes(file.mode) && file.result?.state !== 'fail')
          encloseFile(file, hooks, getHooks(file), this.config.sequence.hooks)
    })
  before(prototype, 'onBeforeTryTask', function (test) {
    return encloseTest(test, hooks, this.config.sequence.hooks)
  })
  // A runner that is made otherwise would run tests of which nobody hears.
  const top = getCurrentSuite()
  top.on('beforeAll', (file) => expectBegun(hooks, file as RunnerTestFile))
  top.on('beforeEach', (context) => expectBegun(hooks, (context as { task: Task }).task))

  const runner = {
    prototype,
    getTestFn: getFn,
    getCurrentSuite() {
      const { name, suite } = getCurrentSuite()
      const key = name === '' ? undefined : suite
      return {
        name,
        on(_: 'aroundEach', hook: AroundTest) {
          hooks.ofTests.set(key, [...(hooks.ofTests.get(key) ?? []), hook])
        },
      }
    },
  }
  const aroundAll = (hook: AroundFile): void => void hooks.ofFile.push(hook)
  const { expect, inject, vi } = vitest as VitestHooks
  return { expect, inject, vi, aroundAll, TestRunner: runner } as unknown as VitestHooks
}

/** Calls a function before a method, which the class need not have. What it returns is awaited first. */
function before<Name extends 'onBeforeRunFiles' | 'onBeforeTryTask'>(
  prototype: Runner,
  name: Name,
  call: NonNullable<Runner[Name]>,
): void {
  type Method = (this: Runner, ...args: unknown[]) => unknown
  const owner = prototype as unknown as Record<Name, Method>
  owner[name] ??= () => undefined
  replaceOnce(owner, name, (original) => {
    // Not async: what it enters, its caller has to be in.
    return function (this: Runner, ...args) {
      const first = (call as Method).apply(this, args)
      return first instanceof Promise
        ? first.then(() => original.apply(this, args))
        : original.apply(this, args)
    }
  })
}

function encloseFile(
  file: RunnerTestFile,
  hooks: FileHooks,
  { beforeAll, afterAll }: SuiteHooks,
  sequence: Sequence,
): void {
  const around = hooks.ofFile.map(
    (hook): AroundTest =>
      (run) =>
        hook(run, {}, file),
  )
  const enclosed = encloseCode(around, {}, hooks.keepScope)
  hooks.begun.add(file)
  let ended: Promise<void> | undefined
  const end = (): Promise<void> => (ended ??= enclosed.end())
  // The function that it returns runs behind all others of the file.
  const open = async (): Promise<Hook | void> => {
    await enclosed.begins
    return enclosed.hasBegun ? end : end()
  }
  Object.assign(open, { [CLEANUP_TIMEOUT]: 0 })
  if (sequence === 'list') beforeAll.push(open)
  else beforeAll.unshift(open)
  // If a `beforeAll` fails, that function is not called.
  const endFailed = (): unknown => (file.result?.state === 'fail' ? end() : undefined)
  if (sequence === 'stack') afterAll.unshift(endFailed)
  else afterAll.push(endFailed)
}

function encloseTest(test: Task, hooks: FileHooks, sequence: Sequence): Promise<void> | undefined {
  const suites: object[] = []
  for (let { suite } = test; suite; suite = suite.suite) suites.unshift(suite)
  const around = [undefined, ...suites].flatMap((suite) => hooks.ofTests.get(suite) ?? [])
  const enclosed = encloseCode(around, test.context, hooks.keepScope)
  hooks.begun.add(test)
  const end = async (): Promise<void> => {
    await callFailedHooks(test, sequence)
    await enclosed.end()
  }
  // They run in reverse.
  const noteEnd = (): void => void (test.onFinished = [end, ...(test.onFinished ?? [])])
  if (enclosed.hasBegun) return void noteEnd()
  return enclosed.begins.then(() => (enclosed.hasBegun ? noteEnd() : enclosed.end()))
}

/** Calls what `onTestFailed` registered: the runner would do so behind the end of the test. */
async function callFailedHooks(test: Task, sequence: Sequence): Promise<void> {
  const { onFailed = [], context, result } = test
  test.onFailed = undefined
  if (result?.state !== 'fail') return
  if (sequence === 'parallel')
    return void (await Promise.all(onFailed.map((hook) => hook(context))))
  for (const hook of sequence === 'stack' ? onFailed.toReversed() : onFailed) await hook(context)
}

/**
 * Fails what runs without our hooks.
 *
 * @throws CassetteError `unsupported-vitest`
 */
function expectBegun({ begun }: FileHooks, task: RunnerTestFile | Task): void {
  if (begun.has(task)) return
  throw withFrames(
    new CassetteError(
      'unsupported-vitest',
      'The option runner of this project names a runner that vitest-cassette cannot use in this release of Vitest: it does not call ' +
        'onBeforeRunFiles() and onBeforeTryTask() of VitestTestRunner, so no call could be told to its test.\n' +
        "Let it extend VitestTestRunner of 'vitest/runners', and call super.onBeforeTryTask(). With Vitest 4.1 or later, every runner can be used.",
    ),
    [],
  )
}
