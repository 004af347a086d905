import { statSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { CassetteStore } from '../../cassette/store.ts'
import type { Cassette } from '../../cassette/cassette.ts'
import { readConversations, type Conversation } from '../../conversation/conversation.ts'
import { findPictures, type Pictures } from '../../conversation/find-pictures.ts'
import type { ConversationMetadata } from '../../histories/conversation-metadata.ts'
import type { ConversationProblem } from '../../histories/stored-message.ts'
import { layOutLine, printable } from '../../text/printable.ts'
import { CassetteError } from '../../errors.ts'
import { quoteWord } from '../../config/mode.ts'
import { closestTo } from '../../text/closest-names.ts'
import { CASSETTE_FOLDER } from '../../config/paths.ts'
import {
  type CassetteFolder,
  MAX_BYTES,
  namesIn,
  noCassette,
  openFolders,
} from './cassette-folders.ts'
import type { ExitCode, Terminal } from '../terminal/command.ts'
import { isConversationFile, openFile, openStored } from '../../histories/open-file.ts'
import { WorkspaceFolder } from '../../histories/workspace-folder.ts'
import { invalidCommand, textOption, type OptionValues } from '../terminal/options.ts'

/** A cassette, or a conversation of the store, as every command reads it. */
export interface Source {
  /** The name to type: the path below the cassette folder (from here, if there are several folders), or the id. */
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
  /** The store that holds the cassette. */
  store?: CassetteStore
  /** The root of its project, which holds the statistics of runs. */
  root?: string
  /** The metadata of a stored conversation, which may know more than its messages. */
  stated?: ConversationMetadata
  /** True when a part of it could not be read. */
  isDamaged?: boolean
}

/** A cassette that was not read yet. */
interface CassettePlace extends Pick<CassetteFolder, 'store' | 'root' | 'project'> {
  name: string
  path: string
}

/** A cassette, or a conversation of the store. */
type Place = CassettePlace | { name: string }

/** The names that a person may type for exactly this place. */
function spellingsOf(place: Place): string[] {
  return 'store' in place ? [place.name, place.store.display(place.path)] : [place.name]
}

/** Opens cassettes and conversations, and remembers whether all of them could be read. */
export class Sources {
  code: ExitCode = 0
  readonly #terminal: Terminal
  readonly #values: OptionValues

  constructor(values: OptionValues, terminal: Terminal) {
    this.#values = values
    this.#terminal = terminal
  }

  /**
   * Opens all sources, or those that match a pattern: a file anywhere, a path, an id, or a piece of the path or title.
   * Reports each source that cannot be read, and yields the rest.
   *
   * @throws CassetteError `invalid-command` when a pattern names nothing.
   */
  *open(patterns: readonly string[]): Generator<Source> {
    const { cwd, progress } = this.#terminal
    const stored = this.#store
    const places = stored ? stored.list().map((name) => ({ name })) : this.#listCassettes()
    const spellings = new Set(places.flatMap(spellingsOf))
    const files = patterns.filter(
      (name) => !spellings.has(name) && isConversationFile(resolve(cwd, name)),
    )
    for (const file of files) {
      const source = this.#read({ file })
      if (source) yield source
    }
    const named = patterns.filter((pattern) => !files.includes(pattern))
    if (files.length > 0 && named.length === 0) return
    if (places.length === 0) throw this.#nothing()
    const vague = named.filter((pattern) => !spellings.has(pattern))
    const matched = new Set<string>()
    const what = stored ? 'conversations read' : 'cassettes read'
    for (const place of progress.over(places, what)) {
      const isExact = spellingsOf(place).some((spelling) => patterns.includes(spelling))
      // If every pattern is an exact name, no other source has to be read.
      if (!isExact && patterns.length > 0 && vague.length === 0) continue
      const source = this.#read(place)
      if (!source) continue
      const text = `${place.name}\n${source.title}`.toLowerCase()
      const hits = vague.filter((pattern) => text.includes(pattern.toLowerCase()))
      for (const hit of hits) matched.add(hit)
      if (patterns.length === 0 || isExact || hits.length > 0) yield source
    }
    const names = places.map(({ name }) => name)
    for (const pattern of vague)
      if (!matched.has(pattern))
        throw unknownName(pattern, names, textOption(this.#values, 'store'))
  }

  /** Prints a problem, and remembers it for the exit code. */
  report(problem: string): void {
    this.#terminal.warn(this.#terminal.colors.yellow(printable(problem)))
    this.code = 1
  }

  reportAll(name: string, problems: readonly ConversationProblem[]): void {
    for (const { kind, file, line, problem } of problems)
      this.report(
        `${kind}: ${name}/${file}${line === undefined ? '' : `, line ${line}`}: ${problem}`,
      )
  }

  #listCassettes(): CassettePlace[] {
    const folders = openFolders(this.#values, this.#terminal)
    return folders.flatMap(({ store, root, project }) =>
      store.list().map((path) => ({
        name: folders.length > 1 ? store.display(path) : path,
        path,
        store,
        root,
        ...(folders.length > 1 && project !== undefined ? { project } : {}),
      })),
    )
  }

  #read(place: Place | { file: string }): Source | undefined {
    try {
      if ('file' in place) return this.#readFile(place.file)
      return 'store' in place ? readCassette(place) : this.#readStored(place.name)
    } catch (error) {
      if (!CassetteError.isInstance(error)) throw error
      this.report(error.message)
      return undefined
    }
  }

  #readFile(name: string): Source {
    const opened = openFile(resolve(this.#terminal.cwd, name), name)
    this.reportAll(name, opened.problems)
    return { name, ...opened }
  }

  #readStored(id: string): Source {
    const { store, directory } = storePlace(this.#values, this.#terminal)
    const opened = openStored(id, store, directory)
    const { metadata, conversations, pictures, cassette, problems } = opened
    this.reportAll(id, problems)
    const { title, updated_at: updated, cassette_path: path } = metadata
    return {
      name: id,
      title,
      timestamp: cassette?.timestamp ?? updated,
      conversations,
      pictures,
      stated: metadata,
      isDamaged: problems.length > 0,
      ...(cassette ? { cassette } : {}),
      ...(path === undefined ? {} : { path }),
    }
  }

  get #store(): WorkspaceFolder | undefined {
    const store = textOption(this.#values, 'store')
    return store === undefined ? undefined : openStore(store, this.#values, this.#terminal)
  }

  #nothing(): CassetteError {
    const store = textOption(this.#values, 'store')
    if (store === undefined) return noCassette(this.#values)
    return invalidCommand(
      `There is no conversation in ${store}.\nStore some with: vitest-cassette history export --store <folder>`,
    )
  }
}

/** The one cassette folder to write to. */
export function openCassettes(values: OptionValues, terminal: Terminal): CassetteStore {
  const dir = values.dir ?? CASSETTE_FOLDER
  const [folder, ...others] = openFolders({ ...values, dir }, terminal)
  if (others.length === 0) return folder!.store
  throw invalidCommand('Name one folder with --dir: this one is written to.')
}

/** The stored conversations that the options name. */
export function openStore(
  store: string,
  values: OptionValues,
  terminal: Terminal,
): WorkspaceFolder {
  const place = storePlace({ ...values, store }, terminal)
  return new WorkspaceFolder(place.store, place.directory)
}

function storePlace(values: OptionValues, { cwd }: Terminal): { store: string; directory: string } {
  const store = resolve(cwd, textOption(values, 'store') ?? '')
  if (statSync(store, { throwIfNoEntry: false })?.isFile())
    throw invalidCommand(
      `--store ${textOption(values, 'store')} is a file. Name the folder of a store.`,
    )
  return { store, directory: resolve(cwd, textOption(values, 'workspace') ?? '') }
}

function readCassette({ name, path, store, root, project }: CassettePlace): Source | undefined {
  const cassette = store.load(path)
  if (!cassette) return undefined
  const { conversationId: id, timestamp } = cassette
  return {
    name,
    title: project === undefined ? id : `|${project}| ${id}`,
    timestamp,
    conversations: readConversations(cassette),
    pictures: findPictures(cassette.exchanges),
    cassette,
    path,
    store,
    root,
  }
}

function unknownName(pattern: string, names: string[], store: string | undefined): CassetteError {
  const close = closestTo(pattern, names).map((name) => `  ${layOutLine(name)}`)
  return invalidCommand(
    `Nothing is called '${layOutLine(pattern)}'. The closest are:\n${close.join('\n')}\n` +
      `List all with: vitest-cassette list${store === undefined ? '' : ` --store ${quoteWord(store)}`}`,
  )
}

/** The place of a cassette that a command writes, in a folder of cassettes or anywhere else. */
export function placeOf(
  { name, path, store, cassette }: Source,
  { cwd }: Terminal,
): { store: CassetteStore; path: string } {
  if (store && path !== undefined) return { store, path }
  if (!cassette) throw invalidCommand(`${name} is no cassette.`)
  const file = resolve(cwd, name)
  // The pictures of a cassette are beside it, or above it where its folder has one for each test file.
  const above = foldersAbove(dirname(file))
  const folder = above.find((one) => namesIn(one).includes('blobs')) ?? above[0]!
  const found = new CassetteStore(cwd, relative(cwd, folder) || '.', MAX_BYTES)
  return { store: found, path: found.pathTo(file) }
}

function foldersAbove(folder: string): string[] {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [folder, ...foldersAbove(parent)]
}
