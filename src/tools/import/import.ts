import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { whyUnwritten } from '../../cassette/store.ts'
import { CassetteError } from '../../errors.ts'
import { isConversationFile } from '../../histories/open-file.ts'
import { CONFIG, configWords, replayTests } from '../programs/run-vitest.ts'
import type { Command, Terminal } from '../terminal/command.ts'
import {
  flag,
  invalidCommand,
  type OptionValues,
  takesText,
  takesTexts,
  textOption,
} from '../terminal/options.ts'
import { printJson } from '../terminal/write-json.ts'
import { kindOfRequest } from './address.ts'
import type { ForeignFiles } from './files.ts'
import type { ForeignRequest } from './foreign.ts'
import { planCassettes, type PlannedCassette } from './plan.ts'
import type { KnownTest } from './targets.ts'
import { planAsData, tell } from './tell.ts'
import { judgeImported, type TestVerdict } from './verdict.ts'

/** The options for recordings of other tools. With one of them, nothing else is meant. */
const OPTIONS = {
  write: flag('write the cassettes, and replay their tests offline'),
  from: takesText('the format of the files, if their content does not tell it: har, nock, …'),
  map: takesTexts('the test of a recording: recording=test; a piece of each name is enough'),
  'map-file': takesText('a file with such lines'),
  to: takesText('a cassette, or a folder of cassettes, for recordings that are those of no test'),
  'only-llm': flag('leave out calls that are no LLM calls'),
  'few-headers': flag('leave out the headers of answers that differ each time, such as ids'),
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
    summary: 'make cassettes of the recordings of other tools: HAR, nock, VCR, and others',
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
      const [recording] = found?.recordings ?? []
      if (!recording) return await ownFiles.run(names, values, terminal)
      throw invalidCommand(
        `${recording.file} is a recording of another tool (${recording.format}).\n` +
          `See what it becomes with:\n  npx vitest-cassette import ${names.join(' ')}`,
      )
    },
  }
  return [recordings, histories]
}

/** What was found in files, and whether it is of other tools, as the content or the options say. */
interface Look {
  found?: ForeignFiles
  isForeign: boolean
}

async function lookAt(
  names: readonly string[],
  values: OptionValues,
  terminal: Terminal,
): Promise<Look> {
  const isTold = Object.keys(OPTIONS).some((name) => values[name] !== undefined)
  const isOwn = ['store', 'workspace', 'test', 'model', 'url'].some((name) => name in values)
  const missing = names.filter((name) => !existsSync(resolve(terminal.cwd, name)))
  if (isOwn || (!isTold && (names.length === 0 || missing.length > 0))) return { isForeign: false }
  if (names.length === 0)
    throw invalidCommand(
      'Name files or folders with recordings:\n  npx vitest-cassette import recordings/',
    )
  const found = await read(names, values, terminal)
  const isFolder = names.some((name) => {
    const path = resolve(terminal.cwd, name)
    return existsSync(path) && statSync(path).isDirectory() && !isConversationFile(path)
  })
  const isBroken = found.unread.some((one) => one.isBroken && one.nearest !== undefined)
  return { found, isForeign: isTold || isFolder || isBroken || found.recordings.length > 0 }
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
  const from = textOption(values, 'from')
  const onlyLlm = values['only-llm'] === true
  return readForeign(names, {
    cwd: terminal.cwd,
    ...(from === undefined ? {} : { from }),
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
  { recordings, unread }: ForeignFiles,
  values: OptionValues,
  terminal: Terminal,
): Promise<number> {
  const plan = await planCassettes(recordings, values, terminal)
  const written = values.write === true ? await writeCassettes(plan.cassettes, terminal) : []
  const tests = written.flatMap(({ test }) => test ?? [])
  const verdicts = await judge(tests, values, terminal)
  if (values.json) printJson(planAsData(plan, unread, verdicts), terminal)
  else tell(plan, unread, verdicts, values, terminal)
  const isLeft = plan.rows.some(({ target }) => !target) || plan.cassettes.some(({ kept }) => kept)
  const isWell = verdicts.every(({ outcome }) => outcome === 'pass')
  const isBroken = unread.some((one) => one.isBroken) || plan.rows.length === 0
  return isWell && !isBroken && !(values.write && isLeft) ? 0 : 1
}

/** Writes each cassette whole or not at all; one that cannot be written stops no other. */
async function writeCassettes(
  cassettes: readonly PlannedCassette[],
  terminal: Terminal,
): Promise<PlannedCassette[]> {
  const written: PlannedCassette[] = []
  const open = cassettes.filter(({ kept }) => kept === undefined)
  for (const one of terminal.progress.over(open, 'cassettes written')) {
    try {
      await one.target.store.save(one.target.path, one.cassette)
      written.push(one)
    } catch (error) {
      const [what] = whyUnwritten(error as Error)
      one.kept = `it could not be written: ${what}`
    }
  }
  return written
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
