import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Fails by name if a page of a built site links to a page, an anchor or a picture that is not there. */
export function checkLinks(folder: string, base: string): void {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const pages = new Map(
    files
      .filter((file) => file.endsWith('.html'))
      .map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
  )
  const anchors = new Map(
    Array.from(pages, ([file, html]) => [file, new Set(attributesOf(html, 'id'))]),
  )
  const broken = Array.from(pages, ([file, html]) => {
    const here = new URL(file.replace(/(?:index)?\.html$/, ''), `http://site${base}`)
    const links = [...attributesOf(html, 'href'), ...attributesOf(html, 'src')]
    return [...new Set(links)]
      .filter((link) => !leads(new URL(link, here)))
      .map((link) => `  ${file}: ${link}`)
  }).flat()
  if (broken.length > 0) throw new Error(`These links lead nowhere:\n${broken.join('\n')}`)

  function leads({ host, pathname, hash }: URL): boolean {
    if (host !== 'site') return true
    if (!pathname.startsWith(base)) return false
    const path = decodeURI(pathname.slice(base.length))
    const page = [path, `${path}.html`, `${path}index.html`].find((one) => anchors.has(one))
    if (page === undefined) return existsSync(join(folder, path)) && !path.endsWith('/')
    return hash === '' || anchors.get(page)!.has(decodeURIComponent(hash.slice(1)))
  }
}

function attributesOf(html: string, name: string): string[] {
  return Array.from(html.matchAll(new RegExp(`<[^>]* ${name}="([^"]*)"`, 'g')), ([, value]) =>
    value!.replaceAll('&amp;', '&'),
  )
}
