import { sha256 } from '../prompt/sha256.ts'
import { keepUrl } from '../wire/url.ts'

/** The address of a request as it is stored and compared. */
export function keptUrl(url: URL): string {
  return keepUrl(url, (value) => sha256(value).slice(0, 12))
}
