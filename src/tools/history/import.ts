import { existsSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, posix, resolve } from 'node:path'
import type { Cassette } from '../../cassette/cassette.ts'
import { cassettePath } from '../../cassette/paths.ts'
import type { CassetteStore } from '../../cassette/store.ts'
import { folderOfFile } from '../../cassette/test-place.ts'
import { CASSETTE_FOLDER, CONFIG_FILE, pathFrom } from '../../config/paths.ts'
import { type ContextEntry, writeContext } from '../../conversation/context-file.ts'
import type { Conversation } from '../../conversation/conversation.ts'
import type { Pictures } from '../../conversation/find-pictures.ts'
import { CassetteError } from '../../errors.ts'
import { openFile } from '../../histories/open-file.ts'
import { refuseSecrets, withoutKnown } from '../../histories/refuse-secrets.ts'
import { dialectOf } from '../../providers/dialects.ts'
import { defined } from '../../providers/fields.ts'
import { cassetteOfContext, type ContextMetadata } from '../../recording/context-cassette.ts'
import { redactKnown } from '../../secrets/redactor.ts'
import { readText } from '../../wire/body.ts'
import type { WireRequest } from '../../wire/message.ts'
import { namesIn } from '../sources/find-folders.ts'
import { saveCassette } from '../sources/save-cassette.ts'
import { openCassettes, type Source, Sources } from '../sources/source.ts'
import { type Command, defineCommand, type Terminal } from '../terminal/command.ts'
import {
  flag,
  invalidCommand,
  type OptionValues,
  takesText,
  textOption,
} from '../terminal/options.ts'
import { backupsAmong, readBackups } from './backups.ts'
import { SOURCE_OPTIONS } from '../sources/cassette-folders.ts'

interface Imported {
  /** The file or the id, for messages. */
  name: string
  cassette: Cassette
  path: string
  isDamaged: boolean
}

export const importCommand: Command = defineCommand({
  name: 'history import',
  usage: '<file.json…> | [id…] --store <folder> | <backup.json…> --store <folder>',
  summary:
    'make cassettes of contexts, histories and hand-written files, or bring stored conversations back',
  options: {
    test: takesText("the test that the cassette is for: 'test/a.test.ts > suite > title'"),
    model: takesText(
      'the model that a request has to name to get the answers of a context file (default: any)',
    ),
    url: takesText(
      'the URL that a request has to go to: https://api.openai.com/v1/chat/completions, … (default: anywhere)',
    ),
    force: flag('replace a cassette that exists'),
    ...SOURCE_OPTIONS,
  },
  async run(positionals, given, terminal) {
    const values = inPackageOfTest(given, terminal)
    const sources = new Sources(values, terminal)
    const backups = values.store === undefined ? [] : backupsAmong(positionals, terminal)
    if (backups.length > 0) {
      await readBackups(backups, values, sources, terminal)
      positionals = positionals.filter((word) => !backups.includes(word))
      if (positionals.length === 0) return sources.code
    }
    const cassettes = openCassettes(values, terminal)
    if (values.store === undefined) refuseMissing(positionals, terminal)
    const imported =
      values.store === undefined
        ? Array.from(terminal.progress.over(positionals, 'files read'), (file) =>
            fromFile(file, values, cassettes, sources, terminal),
          )
        : [...sources.open(positionals)].map((source) => fromStore(source, values, terminal))
    if (imported.length === 0)
      throw invalidCommand(
        'Name a context file, a history or a hand-written cassette, or a store with --store <folder>.',
      )
    if (values.test !== undefined && imported.length > 1)
      throw invalidCommand('A test has one cassette: import one with --test.')
    refuseTwins(imported, cassettes)
    for (const one of imported) {
      refuseToReplace(one, cassettes.display(one.path), values, terminal)
      await refuseSecrets(one.cassette, one.name, terminal.env, 'imported')
    }
    for (const { cassette, path } of terminal.progress.over(imported, 'cassettes written')) {
      const conversationId = textOption(values, 'test') ?? cassette.conversationId
      await saveCassette({ store: cassettes, path }, { ...cassette, conversationId }, terminal)
      terminal.write(`${cassettes.display(path)}\n`)
    }
    return sources.code
  },
})

/** A name that is mistyped is a problem of the command line, not of a file. */
function refuseMissing(files: readonly string[], { cwd }: Terminal): void {
  const missing = files.filter((file) => !existsSync(resolve(cwd, file)))
  if (missing.length > 0) throw invalidCommand(`There is no file ${missing.join(', ')}.`)
}

/** Packages of one workspace can have tests of one name: written to one folder, the last would replace the others. */
function refuseTwins(imported: readonly Imported[], cassettes: CassetteStore): void {
  const [twins] = [...Map.groupBy(imported, ({ path }) => path).values()].filter(
    (group) => group.length > 1,
  )
  if (!twins) return
  const names = twins.map(({ name }) => name).join(', ')
  throw invalidCommand(
    `${names} are for one cassette, ${cassettes.display(twins[0]!.path)}, so none was imported.\n` +
      'Import each by its name, with --dir <cassette folder of its package>.',
  )
}

/** Allows replacing a cassette with `--force` only, and never by a damaged conversation. */
function refuseToReplace(
  { isDamaged }: Imported,
  shown: string,
  { force }: OptionValues,
  { cwd }: Terminal,
): void {
  if (!existsSync(resolve(cwd, shown)) || (force === true && !isDamaged)) return
  if (!isDamaged) throw invalidCommand(`The cassette ${shown} exists. Replace it with --force.`)
  throw new CassetteError(
    'invalid-conversation',
    `The cassette ${shown} is not replaced by a conversation of which a part is lost.\n` +
      "Import the rest of it into a cassette of its own with: --test '<file> > <title>'",
  )
}

function fromStore(source: Source, values: OptionValues, { env }: Terminal): Imported {
  const { title, name, conversations, pictures } = source
  return {
    name,
    path: pathFor(values, source.path, title),
    cassette:
      source.cassette ??
      cassetteOfContext(withoutKnown(contextOf(conversations, pictures, name), env), title),
    isDamaged: source.isDamaged === true,
  }
}

function fromFile(
  file: string,
  values: OptionValues,
  cassettes: CassetteStore,
  sources: Sources,
  terminal: Terminal,
): Imported {
  const path = resolve(terminal.cwd, file)
  const place = cassettes.pathTo(path)
  // A file in the cassette folder is rewritten in place.
  const own = place.startsWith('..') || isAbsolute(place) ? undefined : place
  const opened = openFile(path, file, {
    isRefused: own !== undefined,
    rewrite: (text) => redactKnown(text, terminal.env),
  })
  const { title, notes, context, cassette, conversations, pictures } = opened
  for (const note of notes) terminal.warn(`${file}: ${note}`)
  sources.reportAll(file, opened.problems)
  const named = own === undefined ? title : titleOfPath(own, title)
  const entries = context ?? (cassette ? undefined : contextOf(conversations, pictures, file))
  const imported = entries
    ? cassetteOfContext(entries, textOption(values, 'test') ?? named, metadataOf(values))
    : { ...cassette!, conversationId: named }
  if (own === undefined && values.test === undefined && !imported.conversationId.includes(' > '))
    throw invalidCommand(
      `${file} does not say which test it is for. Say it with: --test '<file> > <title>'`,
    )
  return {
    name: file,
    cassette: imported,
    path: pathFor(values, own, imported.conversationId),
    isDamaged: opened.isDamaged,
  }
}

/** The title of a file in the cassette folder. A title that names no test is replaced by one from the path. */
function titleOfPath(path: string, title: string): string {
  if (title.includes(' > ')) return title
  const slug = basename(path, '.json').replace(/-[0-9a-f]{10}$/, '')
  return `${dirname(path)} > ${slug}`
}

/** The model and the provider that requests have to ask, if the options name them. */
function metadataOf(values: OptionValues): ContextMetadata {
  const model = textOption(values, 'model')
  const url = textOption(values, 'url')
  if (url === undefined) return defined({ model })
  if (!URL.canParse(url)) throw invalidCommand(`--url ${url} is no address.`)
  const request: WireRequest = { method: 'POST', url, body: readText('{"messages":[]}') }
  const { provider } = dialectOf(request).readPrompt(request)
  return defined({ provider, model })
}

/** The context of a conversation without exchanges, as another program writes it. A cassette is made of it. */
function contextOf(
  conversations: Conversation[],
  pictures: Pictures,
  name: string,
): ContextEntry[] {
  const [only, ...others] = conversations
  if (only && others.length === 0) return writeContext(only, pictures)
  throw new CassetteError(
    'invalid-conversation',
    `${name} has ${conversations.length} threads and no recorded exchanges; a cassette can be made of one thread.`,
  )
}

/** The path at which a test looks for its cassette. */
function pathFor(values: OptionValues, path: string | undefined, title: string): string {
  const test = textOption(values, 'test')
  if (test === undefined && path !== undefined) return path
  const [file, ...titles] = (test ?? title).split(' > ')
  if (titles.length === 0)
    throw invalidCommand(
      `'${test ?? title}' names no test, and a cassette belongs to one. Say which: --test '<file> > <title>'`,
    )
  return cassettePath({ file: file!, titles, ordinal: 0 })
}

/**
 * The options with the test of `--test` as its package names it, and with the cassette folder of that package. They
 * keep the folder that they name, or the one here if the test is in no package.
 */
function inPackageOfTest(values: OptionValues, { cwd }: Terminal): OptionValues {
  const test = textOption(values, 'test')
  if (test === undefined) return values
  const [named = '', ...titles] = test.split(' > ')
  const file = pathFrom(cwd, resolve(cwd, named))
  const folder = values.dir === undefined ? packageOf(file, cwd) : undefined
  const own = folder === undefined ? file : posix.relative(folder, file)
  return {
    ...values,
    test: [own, ...titles].join(' > '),
    ...(folder === undefined ? {} : { dir: [join(folder, CASSETTE_FOLDER)] }),
  }
}

/** The nearest folder of a test file, below the working directory, that has cassettes or a config of its own. */
function packageOf(file: string, cwd: string): string | undefined {
  const folders = foldersAbove(file)
  const found =
    folders.find((one) => existsSync(join(cwd, one, CASSETTE_FOLDER))) ??
    folders.find((one) => namesIn(join(cwd, one)).some((name) => CONFIG_FILE.test(name)))
  // Cassettes of its tests in the folder here show that they run from here.
  const isRunHere = found && existsSync(join(cwd, CASSETTE_FOLDER, folderOfFile(found)))
  return isRunHere ? undefined : found
}

/** The folders above a relative path, the nearest first, without the one that it starts from. */
function foldersAbove(path: string): string[] {
  const folder = posix.dirname(path)
  return folder === '.' || folder.startsWith('..') ? [] : [folder, ...foldersAbove(folder)]
}
