import type { TestPlace } from '../cassette/path.ts'

/** The command that records one test, or the requests of one file, again and nothing else. */
export function recordCommand({ file, titles }: TestPlace): string {
  const command = `RECORD=1 npx vitest run ${quote(file)}`
  return titles.length === 0
    ? command
    : `${command} -t ${quote(`^${escapePattern(titles.join(' '))}$`)}`
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/** Quotes for a POSIX shell, where that is needed. */
function quote(text: string): string {
  return /^[\w./@-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
