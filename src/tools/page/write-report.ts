import { posix } from 'node:path'
import type { Cassette } from '../../cassette/cassette.ts'
import { FILE_SCOPE } from '../../cassette/paths.ts'
import type { CassetteReader } from '../../cassette/reader.ts'
import { ownVersion } from '../../config/versions.ts'
import { countTurns } from '../../conversation/conversation.ts'
import { PRICES, type PriceTable, sumUsage, type UsageTotal } from '../../conversation/cost.ts'
import { CassetteError } from '../../errors.ts'
import { sha256 } from '../../prompt/sha256.ts'
import {
  type ReportCassette,
  type ReportIndex,
  type ReportRehearsal,
  type ReportRow,
  type ReportStreams,
  type UnreadCassette,
  type ReportEntry,
  type ReportThread,
  type SearchTexts,
  textOfPart,
} from './data/report-data.ts'
import { describeCassette, type DescribedCassette, figuresOf } from './describe-cassette.ts'
import { ReportFolder } from './report-folder.ts'
import { type RunFailure, writeFailures } from './run-failures.ts'

export interface ReportInput {
  sources: Iterable<ReportSource>
  prices: PriceTable
  /** The failures of the run that ends with this report. */
  failures?: readonly RunFailure[]
  /** The result of the rehearsal that ends with this report. */
  rehearsal?: PageRehearsal
  /** That of this package, unless a test says so. */
  version?: string
  now?: Date
}

/** The changed answers of a rehearsal, and what follows from them. */
export interface PageRehearsal extends ReportRehearsal {
  conclusion: string[]
}

export interface WrittenReport {
  /** The path of the page. */
  page: string
  cassettes: number
  unread: UnreadCassette[]
}

/** The number of a name, in the order of their first use. */
function numberOf(name: string, names: Map<string, number>): number {
  if (!names.has(name)) names.set(name, names.size)
  return names.get(name)!
}

/**
 * Writes a report: a folder with a page that needs no server, and the data files that it loads on demand.
 *
 * @throws CassetteError `invalid-command` for a folder that holds something else, or the file system's own error.
 */
export async function writeReport(folder: string, input: ReportInput): Promise<WrittenReport> {
  const { version = ownVersion(), now = new Date() } = input
  const target = new ReportFolder(folder)
  const texts = new SearchTextWriter(target)
  const files = new Map<string, number>()
  const models = new Map<string, number>()
  const usage = new Map<string, UsageTotal>()
  const rows: ReportRow[] = []
  const unread: UnreadCassette[] = []
  for (const source of input.sources) {
    let cassette: Cassette | undefined
    try {
      cassette = source.read()
    } catch (error) {
      unread.push({ path: source.path, problem: problemOf(error) })
    }
    if (!cassette) continue
    const described = describeCassette(cassette, input.prices)
    for (const { model, total } of described.usage)
      usage.set(model, sumUsage([usage.get(model) ?? sumUsage([]), total]))
    const id = sha256(source.path).slice(0, 16)
    const [file, rest] = splitTitle(cassette.conversationId, source)
    rows.push({
      id,
      path: source.path,
      file: numberOf(file, files),
      title: rest,
      models: [...new Set(described.usage.map(({ model }) => numberOf(model, models)))],
      turns: countTurns(described.conversations),
      threads: described.threads.length,
      pictures: described.files.size,
      day: cassette.timestamp.slice(0, 10),
      ...figuresOf(sumUsage(described.usage.map(({ total }) => total))),
    })
    writeCassette(target, id, source.path, cassette, described)
    texts.add(id, `${cassette.conversationId}\n${source.path}`, described.threads)
  }
  const index: ReportIndex = {
    made: now.toISOString(),
    version,
    prices: PRICES.date,
    files: [...files.keys()],
    models: Array.from(models.keys(), (name) => ({ name, ...figuresOf(usage.get(name)!) })),
    rows: rows.sort((one, other) => one.file - other.file),
    failures: writeFailures(target, input.failures ?? []),
    rehearsal: input.rehearsal && writeRehearsal(target, input.rehearsal),
    unread,
    searchFiles: texts.finish(),
  }
  const page = await target.finish(index)
  return { page, cassettes: rows.length, unread }
}

/** A report has one rehearsal at most. */
function writeRehearsal(
  target: ReportFolder,
  { conclusion, ...answers }: PageRehearsal,
): { id: string; conclusion: string[] } {
  const id = 'rehearsal'
  target.writeData(id, answers satisfies ReportRehearsal)
  return { id, conclusion }
}

function writeCassette(
  target: ReportFolder,
  id: string,
  path: string,
  { timestamp }: Cassette,
  { threads, notes, streams, files }: DescribedCassette,
): void {
  target.writeData(id, { path, timestamp, notes, threads } satisfies ReportCassette)
  if (streams.size > 0) {
    const exchanges = Object.fromEntries(streams)
    target.writeData(`${id}-streams`, { exchanges } satisfies ReportStreams)
  }
  for (const [name, bytes] of files) target.writeBlob(name, bytes)
}

/** Splits the title of a cassette into the test file and the titles in it. */
function splitTitle(title: string, { path, project }: ReportSource): [file: string, rest: string] {
  const [file, ...titles] = title.split(' > ')
  const name = project === undefined ? file! : `|${project}| ${file}`
  if (titles.length > 0) return [name, titles.join(' › ')]
  const isOfFile = path.endsWith(`/${FILE_SCOPE}`)
  return isOfFile ? [name, 'outside of tests'] : [posix.dirname(name), posix.basename(name)]
}

/** A cassette for a report. */
export interface ReportSource {
  /** The path of the cassette, as a person types it. */
  path: string
  /** The name of the project, if there are several. */
  project?: string
  /** Reads the cassette on demand, so that only one of thousands is in memory. */
  read(): Cassette | undefined
}

export function sourcesIn(
  store: Pick<CassetteReader, 'list' | 'load' | 'display'>,
  project?: string,
): ReportSource[] {
  return store.list().map((path) => ({
    path: store.display(path),
    project,
    read: () => store.load(path),
  }))
}

/** The problem of a cassette without the advice. Other errors are thrown again. */
export function problemOf(error: unknown): string {
  if (!CassetteError.isInstance(error)) throw error
  return error.message.split('\n')[0]!
}
/** The approximate number of characters in a file. The page loads all files for a search. */
const FILE_SIZE = 2 ** 20

/** Writes the texts for the search into files of their own, which load with the first search. */
class SearchTextWriter {
  readonly #target: ReportFolder
  #texts: SearchTexts['texts'] = []
  #size = 0
  #files = 0

  constructor(target: ReportFolder) {
    this.#target = target
  }

  add(id: string, title: string, threads: readonly ReportThread[]): void {
    const said = threads.flatMap(({ exchanges }) =>
      exchanges.flatMap(({ entries, settings }) => [
        ...entries.flatMap(textsOf),
        ...(settings?.tools ?? []).map(({ name }) => name),
      ]),
    )
    const text = [title, ...said].join('\n')
    this.#texts.push([id, text])
    this.#size += text.length
    if (this.#size > FILE_SIZE) this.#flush()
  }

  /** Writes the last file, and returns the number of files. */
  finish(): number {
    if (this.#texts.length > 0) this.#flush()
    return this.#files
  }

  #flush(): void {
    const texts: SearchTexts = { texts: this.#texts }
    this.#target.writeData(`texts-${this.#files++}`, texts)
    this.#texts = []
    this.#size = 0
  }
}

function textsOf({ name, reasoning, parts, calls, error }: ReportEntry): string[] {
  return [
    ...[name, reasoning, error].filter((text) => text !== undefined),
    ...parts.map(textOfPart),
    ...calls.flatMap(({ name, parameters, result = [] }) => [
      name,
      parameters,
      ...result.map(textOfPart),
    ]),
  ]
}
