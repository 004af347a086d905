import { existsSync, readFileSync } from 'node:fs'

/**
 * A page of docs/ with the section between its two markers replaced, for `toMatchFileSnapshot`: a run
 * with -u writes it.
 */
export function withSection(page: string, name: string, content: string): string {
  const text = existsSync(page) ? readFileSync(page, 'utf8') : ''
  const [begin, end] = [`<!-- begin ${name}`, `<!-- end ${name} -->`]
  const start = text.indexOf(begin)
  const stop = text.indexOf(end)
  if (start < 0 || stop < start) throw new Error(`${page} has no section ${name}`)
  const from = text.indexOf('-->', start) + 4
  return `${text.slice(0, from)}\n${content.trim()}\n\n${text.slice(stop)}`
}
