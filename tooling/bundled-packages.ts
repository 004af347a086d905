import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'rolldown'

const ROOT = join(import.meta.dirname, '..')

/**
 * Packages of which this one uses a part: that part ships in its own files, which load faster and take less to install.
 * The build fails where it bundles another. What patches Node or is used as a whole is a dependency, which users share.
 */
export const BUNDLED = [
  '@msw/url',
  '@peculiar/utils',
  '@remix-run/headers',
  '@remix-run/multipart-parser',
  '@smithy/core',
  'asn1js',
  'cookie',
  'diff',
  'eventsource-parser',
  'fast-json-stable-stringify',
  'fast-string-truncated-width',
  'fast-string-width',
  'fast-wrap-ansi',
  'jsonc-parser',
  'msw',
  'outvariant',
  'rettime',
  'until-async',
  'zod',
]

/** A package that loads when it is first asked: the file into which the build puts it, and what of it is used. */
interface LateFile {
  file: string
  used: string
}

const LATE: Readonly<Record<string, LateFile>> = {
  '@remix-run/multipart-parser': { file: 'multipart-parser', used: 'parseMultipart' },
  '@smithy/core/event-streams': { file: 'event-streams', used: 'EventStreamCodec' },
  'eventsource-parser': { file: 'event-parser', used: 'createParser' },
  'msw/utils/bypass': { file: 'bypass', used: 'bypass' },
}

/** Has the sources load those files in the place of the packages: all files of the build lie beside each other. */
export const loadsLateFiles: Plugin = {
  name: 'loads-late-files',
  transform(code, id) {
    if (!id.startsWith(join(ROOT, 'src'))) return undefined
    const names = Object.keys(LATE).filter((name) => code.includes(`'${name}'`))
    return names.reduce(
      (text, name) => text.replaceAll(`'${name}'`, `'./${LATE[name]!.file}.cjs'`),
      code,
    )
  },
  resolveId: (id) =>
    Object.values(LATE).some(({ file }) => id === `./${file}.cjs`)
      ? { id, external: true }
      : undefined,
}

/** The entries of those files, which {@link makesLateFiles} makes. CommonJS, which every pool can load at once. */
export const lateFiles: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(LATE).map(({ file }) => [file, join(ROOT, 'tooling', `${file}.late.js`)]),
)

export const makesLateFiles: Plugin = {
  name: 'makes-late-files',
  resolveId: (id) => (Object.values(lateFiles).includes(id) ? id : undefined),
  load(id) {
    const [name, late] = Object.entries(LATE).find(([, { file }]) => lateFiles[file] === id) ?? []
    return late && `export { ${late.used} } from '${name}'`
  },
}

/**
 * What MSW needs in browsers alone. It keeps cookies there, for which it brings the list of all domains below which
 * people register: half a megabyte.
 */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'is-node-process': 'export const isNodeProcess = () => true',
  'tough-cookie':
    'export const Cookie = undefined, CookieJar = undefined, MemoryCookieStore = undefined',
}

const LEFT = '\0left-out:'

export const leavesOutBrowsers: Plugin = {
  name: 'leaves-out-browsers',
  resolveId(id, importer) {
    if (!importer?.includes('/node_modules/msw/')) return undefined
    if (id in LEFT_OUT) return LEFT + id
    // It is imported for handlers of WebSockets, which are none of ours.
    return id === '@mswjs/interceptors/WebSocket'
      ? { id, external: true, moduleSideEffects: false }
      : undefined
  },
  load: (id) => (id.startsWith(LEFT) ? LEFT_OUT[id.slice(LEFT.length)] : undefined),
}

/** Whether a module is of another package. */
export function isOfPackage(id: string): boolean {
  return id.includes('/node_modules/') || id.startsWith(LEFT)
}

/** The folders of the packages of which the build contains code, or data from the first on. */
const bundled = new Set([join(ROOT, 'node_modules/@pydantic/genai-prices')])

/** Ships the licences of all packages of which the build contains code, as they ask. */
export const shipsLicences: Plugin = {
  name: 'ships-licences',
  writeBundle(_, bundle) {
    for (const chunk of Object.values(bundle))
      if (chunk.type === 'chunk')
        for (const [id, { renderedLength }] of Object.entries(chunk.modules))
          if (renderedLength > 0) note(id)
    // Each build adds its own; the last writes all.
    writeFileSync(join(ROOT, 'dist/LICENSES.txt'), licences())
  },
}

function note(id: string): void {
  const [, folder] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id) ?? []
  if (folder) bundled.add(folder)
}

function licences(): string {
  const texts = [...bundled].map((folder) => {
    const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
    if (!file) throw new Error(`${name} has no file with its licence, so it cannot be shipped.`)
    return `${name} ${version}\n\n${readFileSync(`${folder}/${file}`, 'utf8').trim()}\n`
  })
  return `This package contains code of these packages:\n\n${texts.toSorted().join('\n---\n\n')}`
}
