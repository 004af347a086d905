import { existsSync } from 'node:fs'
import { join, posix, relative } from 'node:path'
import type { Markdown, Token } from './markdown.ts'

interface Site {
  /** The folder of the repository. */
  root: string
  /** Pages, by their paths in the repository. */
  pages: string[]
  /** Where the page of a path is in the site. */
  addressInSite: (page: string) => string
  /** Where the repository can be read, once its owner has filled it in. */
  repository: string | undefined
}

/**
 * Leads each link of a page where the repository has it: to a page of the site, to a file in the repository on the web,
 * or nowhere, as plain text, while that has no address. A link to nothing stays as it is, and fails the build.
 */
export function leadLinks(md: Markdown, site: Site): void {
  md.core.ruler.push('lead-links', ({ tokens, env }) => {
    const source = relative(site.root, env.realPath ?? env.path).replaceAll('\\', '/')
    for (const token of tokens)
      if (token.children) token.children = lead(token.children, source, site)
  })
}

function lead(tokens: Token[], source: string, site: Site): Token[] {
  const { root, pages, addressInSite, repository } = site
  let isPlain = false
  return tokens.filter((token) => {
    if (token.type === 'link_close' && isPlain) {
      isPlain = false
      return false
    }
    const link = token.type === 'link_open' ? token.attrGet('href')! : '#'
    if (/^(?:[a-z]+:|#|\/)/.test(link)) return true
    const [path, ...anchor] = link.split(/(?=#)/)
    const target = posix.join(posix.dirname(source), path!)
    if (pages.includes(target)) {
      const [from, to] = [source, target].map(addressInSite)
      token.attrSet('href', [posix.relative(posix.dirname(from!), to!), ...anchor].join(''))
    } else if (existsSync(join(root, target))) {
      isPlain = repository === undefined
      token.attrSet('href', `${repository}/blob/main/${target}${anchor.join('')}`)
    }
    return !isPlain
  })
}
