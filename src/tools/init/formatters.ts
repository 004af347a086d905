import { existsSync, readdirSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { writeAtomically } from '../../cassette/write-file.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import { type Addition, append, read } from './additions.ts'
import { addToList, parseConfig } from './json-config.ts'

/** A folder in which a formatter can be configured: that of the project, or one above it in the same repository. */
interface Folder {
  path: string
  /** The path from the project, `../../`; empty for the project itself. */
  up: string
  names: readonly string[]
  manifest: JsonObject
  /** The recordings, from this folder, as a pattern. */
  pattern: string
}

/** What the formatters and linters that a project uses need, so that they leave recordings as they are. */
export function findIgnores(cwd: string, dir: string, top: string): Addition[] {
  return foldersUpTo(cwd, dir, top).flatMap((folder) => [
    ...ignoreFile(folder, '.prettierignore', usesPrettier(folder)),
    ...biome(folder),
    ...configList(folder, /^\.oxfmtrc\.jsonc?$/, ['ignorePatterns'], [`${folder.pattern}/**`]),
    ...configList(folder, /^\.?dprint\.jsonc?$/, ['excludes'], [folder.pattern]),
    ...eslint(folder),
    ...editorConfig(folder),
  ])
}

/** @param up the path from the project to the root of its repository, `../../` */
function foldersUpTo(cwd: string, dir: string, up: string): Folder[] {
  const depth = up.split('/').filter(Boolean).length
  return Array.from({ length: depth + 1 }, (_, count) => {
    const path = join(cwd, '../'.repeat(count) || '.')
    const below = cwd.slice(path.length).split(/[\\/]/).filter(Boolean).join('/')
    const manifest = existsSync(join(path, 'package.json'))
      ? parseConfig(read(path, 'package.json'))
      : undefined
    return {
      path,
      up: '../'.repeat(count),
      names: readdirSync(path),
      manifest: isJsonObject(manifest ?? null) ? (manifest as JsonObject) : {},
      pattern: dir.startsWith('**/') ? dir : posix.join(below, dir),
    }
  })
}

function dependsOn({ manifest }: Folder, name: string): boolean {
  return ['dependencies', 'devDependencies', 'optionalDependencies'].some((kind) => {
    const list = manifest[kind]
    return isJsonObject(list ?? null) && (list as JsonObject)[name] !== undefined
  })
}

function has({ names }: Folder, pattern: RegExp): boolean {
  return names.some((name) => pattern.test(name))
}

function usesPrettier(folder: Folder): boolean {
  // oxfmt reads that file too, and its other configs are code.
  const isOxfmt = dependsOn(folder, 'oxfmt') && !has(folder, /^\.oxfmtrc\.jsonc?$/)
  return (
    isOxfmt ||
    dependsOn(folder, 'prettier') ||
    folder.manifest.prettier !== undefined ||
    has(folder, /^(?:\.prettierrc|prettier\.config\.|\.prettierignore$)/)
  )
}

/** The name of the folder of the recordings, by which a pattern of the user is recognized. */
function nameIn({ pattern }: Folder): string {
  return posix.basename(pattern)
}

/** The recordings in the syntax of `.gitignore`. */
function ignoreLine({ pattern }: Folder): string {
  return `${pattern.startsWith('**/') ? '' : '/'}${pattern}/`
}

/** A file with the syntax of `.gitignore`. */
function ignoreFile(folder: Folder, name: string, isUsed: boolean): Addition[] {
  if (!isUsed) return []
  const isKnown = read(folder.path, name)
    .split(/\r?\n/)
    .some((line) => /^[^#!]/.test(line) && line.split('/').includes(nameIn(folder)))
  const lines = [ignoreLine(folder)]
  const write = (): Promise<void> => append(folder.path, name, lines)
  return isKnown ? [] : [{ file: folder.up + name, lines, write }]
}

function configList(
  folder: Folder,
  name: RegExp,
  path: readonly string[],
  items: readonly string[],
): Addition[] {
  const file = folder.names.find((one) => name.test(one))
  if (file === undefined) return []
  const text = read(folder.path, file)
  if (text.includes(nameIn(folder))) return []
  const added = addToList(text, path, items)
  const lines = [`${path.join('.')}: ${items.map((item) => JSON.stringify(item)).join(', ')}`]
  const write =
    added === undefined ? undefined : () => writeAtomically(join(folder.path, file), added)
  return [{ file: folder.up + file, lines, ...(write && { write }) }]
}

/** Biome 1 has `files.ignore`. Later releases have `files.includes`, which begins with what they include. */
function biome(folder: Folder): Addition[] {
  const file = folder.names.find((name) => /^\.?biome\.jsonc?$/.test(name))
  if (file === undefined) return []
  const config = parseConfig(read(folder.path, file))
  const fields = isJsonObject(config ?? null) ? (config as JsonObject) : {}
  const files = isJsonObject(fields.files ?? null) ? (fields.files as JsonObject) : {}
  const [major, minor] = versionOfBiome(folder, fields)
  const list = (path: string[], items: string[]): Addition[] =>
    configList(folder, /^\.?biome\.jsonc?$/, path, items)
  if (major < 2) return list(['files', 'ignore'], [folder.pattern])
  const ignore = `!${folder.pattern}${major === 2 && minor < 2 ? '/**' : ''}`
  if (files.includes !== undefined) return list(['files', 'includes'], [ignore])
  const added = list(['files', 'includes'], ['**', ignore])
  // A list of its own would replace that of the config which it extends.
  return fields.extends === undefined
    ? added
    : added.map(({ file: name, lines }) => ({ file: name, lines }))
}

function versionOfBiome({ path, manifest }: Folder, { $schema }: JsonObject): [number, number] {
  const named = (manifest.devDependencies as JsonObject | undefined)?.['@biomejs/biome']
  for (const version of [$schema, installedBiome(path), named]) {
    const [, major, minor] = /(\d+)\.(\d+)\./.exec(String(version ?? '')) ?? []
    if (major !== undefined) return [Number(major), Number(minor)]
  }
  return [2, 2]
}

function installedBiome(path: string): JsonValue | undefined {
  const file = join(path, 'node_modules/@biomejs/biome/package.json')
  // A package manager may have linked it.
  if (existsSync(file))
    return (parseConfig(read(dirname(file), 'package.json')) as JsonObject | undefined)?.version
  return undefined
}

/** The beginnings of a flat config behind which a further object can stand. */
const FLAT =
  /^(?:export default|module\.exports =) (?:(?:defineConfig|tseslint\.config)\(\[?|\[)(?=\s*(?:$|[[{\].)\w]))/m

function eslint(folder: Folder): Addition[] {
  const file = folder.names.find((name) => /^eslint\.config\.[cm]?[jt]s$/.test(name))
  if (file === undefined) {
    const isUsed =
      has(folder, /^\.eslint(?:rc|ignore$)/) || folder.manifest.eslintConfig !== undefined
    return isUsed && folder.manifest.eslintIgnore !== undefined
      ? configList(folder, /^package\.json$/, ['eslintIgnore'], [ignoreLine(folder)])
      : ignoreFile(folder, '.eslintignore', isUsed)
  }
  const text = read(folder.path, file)
  if (text.includes(nameIn(folder))) return []
  const line = `{ ignores: ['${folder.pattern}/**'] },`
  const found = FLAT.exec(text)
  const write = found
    ? () => {
        const end = found.index + found[0].length
        return writeAtomically(
          join(folder.path, file),
          `${text.slice(0, end)}\n  ${line}${text.slice(end).replace(/^[ \t]+/, '\n  ')}`,
        )
      }
    : undefined
  return [{ file: folder.up + file, lines: [line], ...(write && { write }) }]
}

/** How recordings are written, for editors that lay a file out when they save it. */
function editorConfig(folder: Folder): Addition[] {
  const text = folder.names.includes('.editorconfig') ? read(folder.path, '.editorconfig') : ''
  if (text === '' || text.includes(nameIn(folder))) return []
  const lines = [
    `[${folder.pattern}/**.json]`,
    'charset = utf-8',
    'end_of_line = lf',
    'indent_style = space',
    'indent_size = 2',
    'insert_final_newline = true',
    'trim_trailing_whitespace = false',
    'max_line_length = off',
  ]
  const write = (): Promise<void> => append(folder.path, '.editorconfig', lines)
  return [{ file: `${folder.up}.editorconfig`, lines, write }]
}

/** Tools that fail if they are given ignored files alone, as hooks give them; with the flag that stops that. */
const STRICT: ReadonlyArray<[command: RegExp, flag: string, name: string]> = [
  [/\bbiome\s+(?:check|ci|format|lint)\b/, '--no-errors-on-unmatched', 'biome'],
  [/\boxfmt\b/, '--no-error-on-unmatched-pattern', 'oxfmt'],
  [/\bdprint\s+(?:fmt|check)\b/, '--allow-no-files', 'dprint'],
  [/\beslint\b[^\n]*--max-warnings/, '--no-warn-ignored', 'eslint'],
]

const HOOKS =
  /^(?:\.lintstagedrc|lint-staged\.config\.|\.nano-staged|nano-staged\.|\.?lefthook\.|\.pre-commit-config\.)/

/** What commands that a hook starts for staged files lack, so that a commit of recordings alone does not fail. */
export function findStrictHooks(cwd: string, up: string): string[] {
  return foldersUpTo(cwd, '', up).flatMap((folder) => {
    const ofManifest = ['lint-staged', 'nano-staged', 'simple-git-hooks']
      .filter((key) => folder.manifest[key] !== undefined)
      .map((key): [string, string] => ['package.json', JSON.stringify(folder.manifest[key])])
    const files = folder.names
      .filter((name) => HOOKS.test(name))
      .map((name): [string, string] => [name, read(folder.path, name)])
    return [...ofManifest, ...files].flatMap(([file, text]) =>
      STRICT.filter(([command, flag]) => command.test(text) && !text.includes(flag)).map(
        ([, flag, name]) =>
          `${folder.up}${file}: add ${flag} to ${name}, which fails if a commit has ignored files alone.`,
      ),
    )
  })
}
