import { relative, resolve } from 'node:path'
import { CassetteStore } from '../cassette/disk/store.ts'
import type { Cassette } from '../cassette/format/cassette.ts'
import { resolveConfig } from '../config/resolved-config.ts'
import { readConversations, type Conversation } from '../conversation/conversation.ts'
import { findPictures, type Pictures } from '../conversation/transcript/pictures.ts'
import type { ConversationMetadata } from '../conversation/store/conversation-metadata.ts'
import type { ConversationProblem } from '../conversation/store/stored-message.ts'
import { layOutLine } from '../diff/render/harmless.ts'
import { CassetteError } from '../errors.ts'
import { closestTo } from '../diff/compare/closest-names.ts'
import { textOf, type ExitCode, type OptionValues, type Terminal } from './command.ts'
import { ConversationStore } from '../resume/conversation-store.ts'
import { openStored } from '../resume/open-stored.ts'

/** A cassette, or a conversation of the store, as every command reads it. */
export interface Source {
  /** What to type to get it: the path below the cassette folder, or the id. */
  name: string
  /** The test, for people. */
  title: string
  timestamp: string
  conversations: Conversation[]
  pictures: Pictures
  /** Absent for a conversation that another program wrote. */
  cassette?: Cassette
  /** The path of the cassette below the cassette folder, where there is or was one. */
  path?: string
  /** What the conversation took as its metadata says, where its exchanges cannot be counted. */
  usage?: ConversationMetadata['token_usage']
  /** True when a part of it could not be read. */
  isDamaged?: boolean
}

/** The options that say where to look. */
export const SOURCE_OPTIONS = {
  dir: { type: 'string' },
  store: { type: 'string' },
  workspace: { type: 'string' },
} as const

export const SOURCE_EXPLAINS = {
  dir: 'the folder of the cassettes (default: __recordings__)',
  store: 'a folder of stored conversations, in the place of cassettes',
  workspace: 'the working directory whose conversations are meant (default: this one)',
}

/** What was opened, and whether all of it could be. */
export class Sources {
  code: ExitCode = 0
  readonly #terminal: Terminal
  readonly #values: OptionValues

  constructor(values: OptionValues, terminal: Terminal) {
    this.#values = values
    this.#terminal = terminal
  }

  /**
   * Opens what the patterns name, or everything: a path, an id, or a piece of the path or the title.
   * What cannot be read is said, and the rest is served.
   *
   * @throws CassetteError `invalid-command` when a pattern names nothing.
   */
  *open(patterns: readonly string[]): Generator<Source> {
    const names = this.#store ? this.#store.list() : this.#cassettes.list()
    if (names.length === 0) throw this.#nothing()
    const isNamed = (pattern: string): boolean =>
      names.some((name) => [name, this.#display(name)].includes(pattern))
    const vague = patterns.filter((pattern) => !isNamed(pattern))
    const matched = new Set<string>()
    const what = this.#store ? 'conversations read' : 'cassettes read'
    for (const name of this.#terminal.progress.over(names, what)) {
      const isExact = patterns.includes(name) || patterns.includes(this.#display(name))
      // Where every pattern is a name, nothing else has to be read.
      if (!isExact && patterns.length > 0 && vague.length === 0) continue
      const source = this.#read(name)
      if (!source) continue
      const text = `${name}\n${source.title}`.toLowerCase()
      const hits = vague.filter((pattern) => text.includes(pattern.toLowerCase()))
      for (const hit of hits) matched.add(hit)
      if (patterns.length === 0 || isExact || hits.length > 0) yield source
    }
    for (const pattern of vague) if (!matched.has(pattern)) throw unknownName(pattern, names)
  }

  /** Says what is wrong, and remembers it for the exit code. */
  report(problem: string): void {
    this.#terminal.warn(this.#terminal.colors.yellow(layOutProblem(problem)))
    this.code = 1
  }

  reportAll(name: string, problems: readonly ConversationProblem[]): void {
    for (const { kind, file, line, problem } of problems)
      this.report(
        `${kind}: ${name}/${file}${line === undefined ? '' : `, line ${line}`}: ${problem}`,
      )
  }

  #read(name: string): Source | undefined {
    try {
      return this.#store ? this.#readStored(name) : this.#readCassette(name)
    } catch (error) {
      if (!CassetteError.isInstance(error)) throw error
      this.report(error.message)
      return undefined
    }
  }

  #readCassette(path: string): Source | undefined {
    const cassette = this.#cassettes.load(path)
    return cassette && sourceOf(path, cassette, path)
  }

  #readStored(id: string): Source {
    const { store, directory } = storePlace(this.#values, this.#terminal)
    const opened = openStored(id, store, directory)
    const { metadata, conversations, pictures, cassette, problems } = opened
    this.reportAll(id, problems)
    const { title, updated_at: updated, cassette_path: path, token_usage: usage } = metadata
    return {
      name: id,
      title,
      timestamp: cassette?.timestamp ?? updated,
      conversations,
      pictures,
      usage,
      isDamaged: problems.length > 0,
      ...(cassette ? { cassette } : {}),
      ...(path === undefined ? {} : { path }),
    }
  }

  get #store(): ConversationStore | undefined {
    const store = textOf(this.#values, 'store')
    return store === undefined ? undefined : openStore(store, this.#values, this.#terminal)
  }

  get #cassettes(): CassetteStore {
    return openCassettes(this.#values, this.#terminal)
  }

  #display(name: string): string {
    return this.#store ? name : this.#cassettes.display(name)
  }

  #nothing(): CassetteError {
    const store = textOf(this.#values, 'store')
    const place =
      store === undefined ? `no cassette in ${dirOf(this.#values)}` : `no conversation in ${store}`
    const wayOut =
      store === undefined
        ? 'Name the folder with --dir, or record one with: RECORD=1 npx vitest'
        : 'Store some with: vitest-cassette export --store <folder>'
    return new CassetteError('invalid-command', `There is ${place}.\n${wayOut}`)
  }
}

/** The cassettes that the options name. */
export function openCassettes(values: OptionValues, { cwd }: Terminal): CassetteStore {
  const { maxCassetteBytes } = resolveConfig({}, { ci: false, recordInCi: false })
  const dir = relative(cwd, resolve(cwd, dirOf(values))) || '.'
  return new CassetteStore(cwd, dir, maxCassetteBytes)
}

/** The stored conversations that the options name. */
export function openStore(
  store: string,
  values: OptionValues,
  terminal: Terminal,
): ConversationStore {
  const place = storePlace({ ...values, store }, terminal)
  return new ConversationStore(place.store, place.directory)
}

function storePlace(values: OptionValues, { cwd }: Terminal): { store: string; directory: string } {
  const store = resolve(cwd, textOf(values, 'store') ?? '')
  return { store, directory: resolve(cwd, textOf(values, 'workspace') ?? '') }
}

function dirOf(values: OptionValues): string {
  return textOf(values, 'dir') ?? resolveConfig({}, { ci: false, recordInCi: false }).dir
}

function sourceOf(name: string, cassette: Cassette, path: string | undefined): Source {
  return {
    name,
    title: cassette.conversationId,
    timestamp: cassette.timestamp,
    conversations: readConversations(cassette),
    pictures: findPictures(cassette.exchanges),
    cassette,
    ...(path === undefined ? {} : { path }),
  }
}

function unknownName(pattern: string, names: string[]): CassetteError {
  const close = closestTo(pattern, names).map((name) => `  ${layOutLine(name)}`)
  return new CassetteError(
    'invalid-command',
    `Nothing is called '${layOutLine(pattern)}'. The closest are:\n${close.join('\n')}\n` +
      'List all with: vitest-cassette list',
  )
}

function layOutProblem(problem: string): string {
  return problem.split('\n').map(layOutLine).join('\n')
}
