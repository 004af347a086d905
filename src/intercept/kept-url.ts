import { sha256 } from '../prompt/sha256.ts'
import { remember } from '../remember.ts'
import { keepUrl } from '../wire/url.ts'

/** The address of a request as it is stored and compared. */
export const keptUrl: (url: string) => string = remember((url) =>
  keepUrl(new URL(url), (value) => sha256(value).slice(0, 12)),
)
