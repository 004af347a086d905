import { dirname, relative, resolve } from 'node:path'
import { CassetteStore } from '../../cassette/store.ts'
import type { Cassette } from '../../cassette/cassette.ts'
import { readConversations, type Conversation } from '../../conversation/conversation.ts'
import { findPictures, type Pictures } from '../../conversation/find-pictures.ts'
import type { ConversationMetadata } from '../../histories/conversation-metadata.ts'
import type { ConversationProblem } from '../../histories/stored-message.ts'
import { layOutLine, printable } from '../../text/printable.ts'
import { CassetteError } from '../../errors.ts'
import { quoteWord } from '../../text/command-line.ts'
import { closestTo } from '../../text/closest-names.ts'
import { CASSETTE_FOLDER } from '../../config/paths.ts'
import { type CassetteFolder, MAX_BYTES, noCassette, openFolders } from './cassette-folders.ts'
import { namesIn } from './find-folders.ts'
import { caution, type ExitCode, type Terminal } from '../terminal/command.ts'
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
  store?: CassetteStore
  /** The root of its project, which holds the statistics of runs. */
  root?: string
  /** The metadata of a stored conversation, which may know more than its messages. */
  stated?: ConversationMetadata
  /** True when a part of it could not be read. */
  isDamaged?: boolean
}

/** A cassette, or a conversation of the store, that was not read yet. */
interface Place {
  name: string
  /** The names that a person may type for exactly this place. */
  spellings: readonly string[]
  read: () => Source | undefined
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
    const places = this.#places()
    const spellings = new Set(places.flatMap((place) => place.spellings))
    const others = patterns.filter((name) => !spellings.has(name))
    const files = others.filter((name) => isConversationFile(resolve(cwd, name)))
    for (const file of files) yield* this.#read(() => this.#readFile(file))
    if (files.length > 0 && files.length === patterns.length) return
    if (places.length === 0) throw this.#nothing()
    const vague = others.filter((name) => !files.includes(name))
    const isExact = (place: Place): boolean =>
      place.spellings.some((spelling) => patterns.includes(spelling))
    // If every pattern is an exact name, no other source has to be read.
    const isEnough = patterns.length > 0 && vague.length === 0
    const candidates = isEnough ? places.filter(isExact) : places
    const unknown = new Set(vague)
    const what = this.#storeName === undefined ? 'cassettes read' : 'conversations read'
    for (const place of progress.over(candidates, what))
      for (const source of this.#read(place.read)) {
        const text = `${place.name}\n${source.title}`.toLowerCase()
        const hits = vague.filter((pattern) => text.includes(pattern.toLowerCase()))
        for (const hit of hits) unknown.delete(hit)
        if (patterns.length === 0 || isExact(place) || hits.length > 0) yield source
      }
    const names = places.map(({ name }) => name)
    for (const pattern of unknown) throw unknownName(pattern, names, this.#storeName)
  }

  /** Prints a problem, and remembers it for the exit code. */
  report(problem: string): void {
    caution(printable(problem), this.#terminal)
    this.code = 1
  }

  reportAll(name: string, problems: readonly ConversationProblem[]): void {
    for (const { kind, file, line, problem } of problems)
      this.report(
        `${kind}: ${name}/${file}${line === undefined ? '' : `, line ${line}`}: ${problem}`,
      )
  }

  #places(): Place[] {
    if (this.#storeName !== undefined)
      return openStore(this.#storeName, this.#values, this.#terminal)
        .list()
        .map((id) => ({ name: id, spellings: [id], read: () => this.#readStored(id) }))
    const folders = openFolders(this.#values, this.#terminal)
    const isOne = folders.length === 1
    return folders.flatMap(({ project, ...folder }) =>
      folder.store.list().map((path) => {
        const shown = folder.store.display(path)
        const name = isOne ? path : shown
        const label = isOne || project === undefined ? '' : `|${project}| `
        const read = (): Source | undefined => readCassette(name, path, label, folder)
        return { name, spellings: [name, shown], read }
      }),
    )
  }

  #read(read: Place['read']): Source[] {
    try {
      return [read() ?? []].flat()
    } catch (error) {
      if (!CassetteError.isInstance(error)) throw error
      this.report(error.message)
      return []
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
      cassette,
      path,
    }
  }

  /** The folder that `--store` names. */
  get #storeName(): string | undefined {
    return textOption(this.#values, 'store')
  }

  #nothing(): CassetteError {
    if (this.#storeName === undefined) return noCassette(this.#values, this.#terminal)
    return invalidCommand(
      `There is no conversation in ${this.#storeName}.\nStore some with: vitest-cassette history export --store <folder>`,
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
  return { store, directory: resolve(cwd, textOption(values, 'workspace') ?? '') }
}

function readCassette(
  name: string,
  path: string,
  label: string,
  { store, root }: Pick<CassetteFolder, 'store' | 'root'>,
): Source | undefined {
  const cassette = store.load(path)
  if (!cassette) return undefined
  const { conversationId: id, timestamp } = cassette
  return {
    name,
    title: `${label}${id}`,
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
      `List all with: vitest-cassette show${store === undefined ? '' : ` --store ${quoteWord(store)}`}`,
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
