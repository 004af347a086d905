// The pages that readers get, in the order of `docs/README.md`: the one list of the site's sidebar and of `llms.txt`.
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** A page, by its path from the root of the repository and the words that name it; or pages under a heading. */
export type Listed = { title: string; page: string } | { title: string; pages: Listed[] }

/**
 * What `docs/README.md` lists: an item of a list is the page of its first link, and belongs to the heading above it.
 * Other links of an item are by the way.
 */
export function listPages(): Listed[] {
  const top: Listed[] = []
  const open = [top]
  for (const line of readFileSync(`${root}docs/README.md`, 'utf8').split('\n')) {
    const [, marks, heading] = /^(##+) (.*)$/.exec(line) ?? []
    const [, title, link] = /^- .*?\[([^\]]+)\]\(([^)#]+)/.exec(line) ?? []
    if (marks !== undefined) {
      open.length = marks.length - 1
      const pages: Listed[] = []
      open.at(-1)!.push({ title: heading!, pages })
      open.push(pages)
    } else if (link !== undefined) {
      open.at(-1)!.push({ title: title!, page: posix.join('docs', link) })
    }
  }
  return top
}

/** The paths of the pages, in order, without their headings. */
export function pagesInOrder(listed = listPages()): string[] {
  return listed.flatMap((one) => ('page' in one ? one.page : pagesInOrder(one.pages)))
}

/** The anchor that GitHub gives a heading, of its text or its Markdown. */
export function anchorOf(heading: string): string {
  const text = heading.replaceAll(/\]\(.*?\)|[`*[\]]/g, '').toLowerCase()
  return text.replaceAll(/[^\p{L}\p{N}_\- ]/gu, '').replaceAll(' ', '-')
}
