import { sha256 } from '../../prompt/sha256.ts'
import { slugOf } from './slug.ts'
import { folderOfFile, type TestPlace } from './test-place.ts'

/** The file name of requests that belong to a file and to none of its tests. */
const FILE_SCOPE = '_file.json'

/**
 * The path of a test's cassette below the cassette folder, with forward slashes:
 * `<test file>/<slug of the title>-<hash of all titles>.json`. The hash keeps apart what slugs, case
 * and Unicode spelling would make one.
 */
export function cassettePath({ file, titles, ordinal }: TestPlace): string {
  const folder = folderOfFile(file)
  if (titles.length === 0) return `${folder}/${FILE_SCOPE}`
  const titlePath = [file, ...titles, ...(ordinal > 0 ? [`#${ordinal + 1}`] : [])]
  const hash = sha256(JSON.stringify(titlePath.map((title) => title.normalize('NFC')))).slice(0, 10)
  const slug = slugOf(titles.at(-1)!).slice(0, 60).replace(/-+$/, '')
  return `${folder}/${slug || 'test'}-${hash}.json`
}

/** Whether a path can be one that {@link cassettePath} gives; other files are none of ours. */
export function isCassettePath(path: string): boolean {
  const segments = path.split('/')
  const name = segments.pop()!
  const folder = segments.join('/')
  const isNamed = name === FILE_SCOPE || /^[a-z0-9][a-z0-9-]{0,59}-[0-9a-f]{10}\.json$/.test(name)
  return isNamed && folder !== '' && folderOfFile(folder) === folder
}

/** Whether a path names a cassette below its folder, that of a test or of a program, and nothing outside of it. */
export function isBelowFolder(path: string): boolean {
  const segments = path.split('/')
  return path.endsWith('.json') && segments.every((name) => /^(?!\.)[^\\:\p{Cc}]+$/u.test(name))
}

/** The name of a conversation, for people. */
export function conversationId({ file, titles, ordinal }: TestPlace): string {
  return [file, ...titles].join(' > ') + (ordinal > 0 ? ` #${ordinal + 1}` : '')
}
