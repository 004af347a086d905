import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Cassette } from '../../cassette/cassette.ts'
import { whyUnwritten } from '../../cassette/store.ts'
import { CassetteError } from '../../errors.ts'
import { isConversationFile } from '../../histories/open-file.ts'
import { writeNote } from '../../secrets/notes.ts'
import { CONFIG, configWords, replayTests } from '../programs/run-vitest.ts'
import { saveCassette } from '../sources/save-cassette.ts'
import type { Command, Terminal } from '../terminal/command.ts'
import {
  flag,
  invalidCommand,
  type OptionValues,
  takesPath,
  takesText,
  takesTexts,
  textOption,
} from '../terminal/options.ts'
import { printJson } from '../terminal/write-json.ts'
import { kindOfRequest } from './address.ts'
import type { ForeignFiles } from './files.ts'
import { type ForeignRequest, TRACE } from './foreign.ts'
import { planCassettes } from './plan.ts'
import type { KnownTest, Target } from './targets.ts'
import { planAsData, tell } from './tell.ts'
import { tellTraces, tracesAsData } from './traces/tell-traces.ts'
import type { FirstTestFile, PlannedTrace } from './traces/plan-traces.ts'
import { judgeImported, type TestVerdict } from './verdict.ts'

/** The options for recordings of other tools, and for traces. With one of them, nothing else is meant. */
const OPTIONS = {
  write: flag('write the cassettes, and replay their tests offline'),
  from: takesText('the format of the files, if their content does not tell it: har, nock, …'),
  map: takesTexts('the test of a recording: recording=test; a piece of each name is enough'),
  'map-file': takesPath('file', 'a file with such lines'),
  to: takesPath(
    'any',
    'a cassette, or a folder of cassettes, for recordings and traces that are those of no test',
  ),
  'write-test': takesPath(
    'new file',
    'the file of a new test for a trace, which shows what to call',
  ),
  trace: takesText('the id of the trace that is meant, or its beginning'),
  'cut-texts': flag('compare what a tracer has cut up to the cut'),
  'only-llm': flag('leave out calls that are no LLM calls'),
  'drop-volatile-headers': flag(
    'leave out the headers of answers that differ each time, such as ids',
  ),
  redact: takesTexts('a regular expression: what it matches is not stored'),
  config: CONFIG,
  json: flag('write JSON'),
}

/**
 * The commands `import`, which makes cassettes of the recordings of other tools, and `history import`. Each leads what
 * the other reads to it.
 *
 * @param ownFiles `history import`, which reads contexts, histories and hand-written files
 */
export function importCommands(ownFiles: Command): [recordings: Command, ownFiles: Command] {
  const recordings: Command = {
    name: 'import',
    usage: '<file or folder…>',
    summary:
      'make cassettes of traces, and of the recordings of other tools: HAR, nock, VCR, and others',
    options: { ...ownFiles.options, ...OPTIONS },
    async run(names, values, terminal) {
      const { found, isForeign } = await lookAt(names, values, terminal)
      if (found && isForeign) return await importFound(found, values, terminal)
      try {
        return await ownFiles.run(names, values, terminal)
      } catch (error) {
        throw withNearest(error, found)
      }
    },
  }
  const histories: Command = {
    ...ownFiles,
    async run(names, values, terminal) {
      const { found } = await lookAt(names, values, terminal)
      const [first] = [...(found?.recordings ?? []), ...(found?.traces ?? [])]
      if (!first) return await ownFiles.run(names, values, terminal)
      const what = 'exchanges' in first ? 'a recording of another tool' : 'a trace'
      throw invalidCommand(
        `${first.file} is ${what} (${first.format}).\n` +
          `See what it becomes with:\n  npx vitest-cassette import ${names.join(' ')}`,
      )
    },
  }
  return [recordings, histories]
}

/** What was found in files, and whether it is of other tools, as the content or the options say. */
async function lookAt(
  names: readonly string[],
  values: OptionValues,
  terminal: Terminal,
): Promise<{ found?: ForeignFiles; isForeign: boolean }> {
  const isTold = Object.keys(OPTIONS).some((name) => values[name] !== undefined)
  const isOwn = ['store', 'workspace', 'model', 'url'].some((name) => name in values)
  const missing = names.filter((name) => !existsSync(resolve(terminal.cwd, name)))
  if (isOwn || (!isTold && (names.length === 0 || missing.length > 0))) return { isForeign: false }
  if (names.length === 0)
    throw invalidCommand(
      'Name files or folders with recordings:\n  npx vitest-cassette import recordings/',
    )
  const found = await read(names, values, terminal)
  const traces =
    found.traces.length > 0 || found.unread.some(({ nearest }) => nearest === TRACE.name)
  // Traces, and what is of this package, name a test; recordings are mapped to theirs.
  if (values.test !== undefined) return { found, isForeign: traces }
  const isFolder = names.some((name) => {
    const path = resolve(terminal.cwd, name)
    return existsSync(path) && statSync(path).isDirectory() && !isConversationFile(path)
  })
  const isBroken = found.unread.some((one) => one.isBroken && one.nearest !== undefined)
  const isFound = found.recordings.length + found.traces.length > 0
  return { found, isForeign: isTold || isFolder || isBroken || isFound }
}

/** An error about a file of this package, with what else the file may be. */
function withNearest(error: unknown, found: ForeignFiles | undefined): unknown {
  const near = found?.unread.find(({ nearest }) => nearest !== undefined)
  if (!near || !CassetteError.isInstance(error)) return error
  const told = `${error.message}\nNor is it a recording of another tool (nearest: ${near.nearest}): ${near.reason}`
  return new CassetteError(error.code, told, { cause: error })
}

async function read(
  names: readonly string[],
  values: OptionValues,
  terminal: Terminal,
): Promise<ForeignFiles> {
  // Loaded here, since no other command reads YAML.
  const { readForeign } = await import('./files.ts')
  const onlyLlm = values['only-llm'] === true
  return readForeign(names, {
    cwd: terminal.cwd,
    from: textOption(values, 'from'),
    keep: (request) => whyLeftOut(request, onlyLlm) ?? true,
    onProgress: ({ name, size }, bytes) =>
      terminal.progress.tell(`${megabytes(bytes)} of ${megabytes(size)} MB of ${name} read`),
  })
}

function megabytes(bytes: number): string {
  return Math.ceil(bytes / 1_000_000).toLocaleString('en')
}

function whyLeftOut(request: ForeignRequest, onlyLlm: boolean): string | undefined {
  const judged = kindOfRequest(request)
  if (judged.kind === 'none') return judged.why
  return judged.kind === 'other' && onlyLlm ? 'a call that is no LLM call' : undefined
}

async function importFound(
  { recordings, traces, spans, unread: notRead }: ForeignFiles,
  values: OptionValues,
  terminal: Terminal,
): Promise<number> {
  refuseRecordings(recordings, values)
  const write =
    values.write === true
      ? (target: Target, cassette: Cassette) => writeOne(target, cassette, terminal)
      : undefined
  const plan = await planCassettes(recordings, values, terminal, write)
  const save = async (planned: PlannedTrace, cassette: Cassette): Promise<void> => {
    if (values.write !== true) return
    const { target, first } = planned
    const why = await writeOne(
      target!,
      cassette,
      terminal,
      () => first && writeFirst(first, terminal),
    )
    if (why !== undefined) planned.kept = why
  }
  // Loaded here, as most recordings are no traces.
  const traced =
    traces.length > 0
      ? await (await import('./traces/plan-traces.ts')).planTraces(spans, values, terminal, save)
      : undefined
  const unread = [...notRead, ...(traced?.unread ?? [])]
  const cassettes = [...plan.cassettes, ...(traced?.traces ?? [])]
  const open = cassettes.filter(({ target, kept }) => target && kept === undefined)
  const written = values.write === true ? open : []
  const tests = written.flatMap(({ test }) => test ?? [])
  const verdicts = await judge(tests, values, terminal)
  if (values.json) {
    const data = planAsData(plan, unread, verdicts)
    printJson(traced ? { ...data, traces: tracesAsData(traced) } : data, terminal)
  } else {
    if (!traced || plan.rows.length > 0)
      tell(plan, traced ? [] : unread, verdicts, values, terminal)
    if (traced) tellTraces(traced, unread, verdicts, values, terminal)
  }
  const isLeft =
    plan.rows.some(({ target }) => !target) || cassettes.some((one) => !one.target || one.kept)
  const isWell = verdicts.every(({ outcome }) => outcome === 'pass')
  const isBroken =
    unread.some((one) => one.isBroken) || (cassettes.length === 0 && !plan.rows.length)
  return isWell && !isBroken && !(values.write && isLeft) ? 0 : 1
}

/** Recordings name their tests, or are mapped to them. */
function refuseRecordings(
  [first]: ForeignFiles['recordings'],
  { test, 'write-test': writeTest }: OptionValues,
): void {
  if (!first || (test ?? writeTest) === undefined) return
  throw invalidCommand(
    `${test === undefined ? '--write-test' : '--test'} is for a trace, and ${first.file} is a recording (${first.format}).\n` +
      `Say the test of a recording with: --map '${first.file}=<test>'`,
  )
}

/** Writes a cassette whole or not at all; returns why it could not. One that cannot be written stops no other. */
async function writeOne(
  target: Target,
  cassette: Cassette,
  terminal: Terminal,
  writeBeside?: () => void,
): Promise<string | undefined> {
  try {
    await saveCassette(target, cassette, terminal)
    writeBeside?.()
    return undefined
  } catch (error) {
    const [what] = whyUnwritten(error as Error)
    return `it could not be written: ${what}`
  }
}

function writeFirst({ file, code }: FirstTestFile, { cwd }: Terminal): void {
  const path = resolve(cwd, file)
  mkdirSync(dirname(path), { recursive: true })
  writeNote(path, code)
}

/** Runs the tests whose cassettes were written, offline. */
async function judge(
  tests: readonly KnownTest[],
  values: OptionValues,
  terminal: Terminal,
): Promise<TestVerdict[]> {
  if (tests.length === 0) return []
  const files = [...new Set(tests.map(({ file }) => file))]
  const args = [...configWords(values), ...files]
  const { lines } = await replayTests('import', args, terminal)
  return judgeImported(
    tests.map(({ title, shown }) => ({ test: title, cassette: shown })),
    lines,
  )
}
