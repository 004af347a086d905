import { existsSync, readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { decodeCassette } from '../cassette/format/decode-cassette.ts'
import { parseCassette } from '../cassette/format/parse.ts'
import { cassettePath } from '../cassette/disk/path.ts'
import type { Cassette } from '../cassette/format/cassette.ts'
import { cassetteOfContext } from '../engine/turns/context-cassette.ts'
import { readContext } from '../conversation/context/read-context.ts'
import { writeContext } from '../conversation/context/write-context.ts'
import { CassetteError } from '../errors.ts'
import { textOf, type Command, type OptionValues, type Terminal } from './command.ts'
import { backupsAmong, readBackups } from './backups.ts'
import { openCassettes, SOURCE_EXPLAINS, SOURCE_OPTIONS, Sources, type Source } from './source.ts'

interface Imported {
  cassette: Cassette
  path: string
  isDamaged: boolean
}

/** Makes cassettes of context files and stored conversations. */
export const importCommand: Command = {
  name: 'import',
  usage: '<file.json…> | [id…] --store <folder> | <backup.json…> --store <folder>',
  summary:
    'make cassettes of context files and hand-written ones, or bring stored conversations back',
  options: {
    ...SOURCE_OPTIONS,
    test: { type: 'string' },
    model: { type: 'string' },
    url: { type: 'string' },
    force: { type: 'boolean' },
  },
  explains: {
    test: "the test that the cassette is for: 'test/a.test.ts > suite > title'",
    model: 'the model that a context file was asked of (default: gpt-5)',
    url: 'where its requests went (default: https://api.openai.com/v1/chat/completions)',
    force: 'replace a cassette that exists',
    ...SOURCE_EXPLAINS,
  },
  async run(positionals, values, terminal) {
    const sources = new Sources(values, terminal)
    const backups = values.store === undefined ? [] : backupsAmong(positionals, terminal)
    if (backups.length > 0) {
      await readBackups(backups, values, sources, terminal)
      positionals = positionals.filter((word) => !backups.includes(word))
      if (positionals.length === 0) return sources.code
    }
    const imported =
      values.store === undefined
        ? Array.from(terminal.progress.over(positionals, 'files read'), (file) =>
            fromFile(file, values, terminal),
          )
        : [...sources.open(positionals)].map((source) => fromStore(source, values))
    if (imported.length === 0)
      throw new CassetteError(
        'invalid-command',
        'Name a context file or a hand-written cassette, or a store with --store <folder>.',
      )
    if (values.test !== undefined && imported.length > 1)
      throw new CassetteError('invalid-command', 'A test has one cassette: import one with --test.')
    const cassettes = openCassettes(values, terminal)
    for (const one of imported) refuseToReplace(one, cassettes.display(one.path), values, terminal)
    for (const { cassette, path } of terminal.progress.over(imported, 'cassettes written')) {
      const conversationId = textOf(values, 'test') ?? cassette.conversationId
      await cassettes.save(path, { ...cassette, conversationId })
      terminal.write(`${cassettes.display(path)}\n`)
    }
    return sources.code
  },
}

/** A whole cassette is replaced only when that is asked for, and never by half a conversation. */
function refuseToReplace(
  { isDamaged }: Imported,
  shown: string,
  { force }: OptionValues,
  { cwd }: Terminal,
): void {
  if (!existsSync(resolve(cwd, shown)) || (force === true && !isDamaged)) return
  if (!isDamaged) {
    const problem = `The cassette ${shown} exists. Replace it with --force.`
    throw new CassetteError('invalid-command', problem)
  }
  throw new CassetteError(
    'invalid-conversation',
    `The cassette ${shown} is not replaced by a conversation of which a part is lost.\n` +
      "Import what is left of it beside the cassette with: --test '<file> > <title>'",
  )
}

function fromStore(source: Source, values: OptionValues): Imported {
  return {
    path: pathFor(values, source.path, source.title),
    cassette: source.cassette ?? fromMessages(source),
    isDamaged: source.isDamaged === true,
  }
}

function fromFile(file: string, values: OptionValues, { cwd }: Terminal): Imported {
  let text: string
  try {
    text = readFileSync(resolve(cwd, file), 'utf8')
  } catch (error) {
    throw new CassetteError(
      'invalid-context',
      `${file} cannot be read: ${(error as Error).message}`,
    )
  }
  // A context is an array.
  const cassette = /^\uFEFF?\s*\{/.test(text)
    ? readWrittenFile(text, file)
    : fromContext(text, file, values)
  return { cassette, path: pathFor(values, undefined, cassette.conversationId), isDamaged: false }
}

function fromContext(text: string, file: string, values: OptionValues): Cassette {
  const title = textOf(values, 'test') ?? `imported > ${basename(file, '.json')}`
  const model = textOf(values, 'model')
  const url = textOf(values, 'url')
  const options = {
    ...(model === undefined ? {} : { model }),
    ...(url === undefined ? {} : { url }),
  }
  return cassetteOfContext(readContext(text, file), title, options)
}

function readWrittenFile(text: string, file: string): Cassette {
  try {
    return decodeCassette(parseCassette(text), (name) => {
      throw new CassetteError('invalid-cassette', `it needs the file blobs/${name}`)
    })
  } catch (error) {
    const problem = `The cassette ${file} cannot be read: ${(error as Error).message}.`
    throw new CassetteError('invalid-cassette', problem, { cause: error })
  }
}

/** A conversation that another program wrote has no exchanges; they are made of what was said. */
function fromMessages({ title, name, conversations, pictures }: Source): Cassette {
  const [only, ...others] = conversations
  if (only && others.length === 0) return cassetteOfContext(writeContext(only, pictures), title)
  throw new CassetteError(
    'invalid-conversation',
    `${name} has ${conversations.length} threads and no recorded exchanges; a cassette can be made of one thread.`,
  )
}

/** The path at which a test looks for its cassette. */
function pathFor(values: OptionValues, path: string | undefined, title: string): string {
  const test = textOf(values, 'test')
  if (test === undefined && path !== undefined) return path
  const [file, ...titles] = (test ?? title).split(' > ')
  if (titles.length === 0)
    throw new CassetteError(
      'invalid-command',
      `'${test ?? title}' names no test, and a cassette belongs to one. Say which: --test '<file> > <title>'`,
    )
  return cassettePath({
    file: file!,
    titles,
    ordinal: 0,
  })
}
