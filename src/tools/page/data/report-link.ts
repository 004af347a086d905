/** The link to a cassette or to one of its exchanges: the part of an address after `index.html`. */
export function linkToCassette(path: string, exchange?: string): string {
  const segments = exchange === undefined ? path.split('/') : [...path.split('/'), exchange]
  return `#/${segments.map(encodeURIComponent).join('/')}`
}

/** The cassette and the exchange that an address names; `undefined` for the first page. */
export function readLink(hash: string): { path: string; exchange?: string } | undefined {
  const segments = hash.replace(/^#\/?/, '').split('/').map(decode)
  const end = segments.findIndex((segment) => segment.endsWith('.json'))
  if (end === -1) return undefined
  return { path: segments.slice(0, end + 1).join('/'), exchange: segments[end + 1] }
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
