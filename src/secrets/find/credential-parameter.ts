/** Words that name a credential, whatever the words before them. */
const CREDENTIAL = words(
  'authorization bearer credential credentials jwt passphrase passwd password pwd secret sig',
)

/** Words that name a credential alone, or after a word of `OPENING`: `key` and `api_key`, but not `sort_key`. */
const AMBIGUOUS = words('auth key signature token')

/** Words that make an ambiguous word after them the name of a credential. */
const OPENING = words(
  'access account admin amz api app application auth basic bearer client consumer csrf dev developer ephemeral',
  'function functions goog id identity jwt license login master ms oauth personal private refresh sas secret',
  'security server service session shared signing subscription use user x xsrf',
)

/** Both words written as one: `apikey`. */
const AS_ONE = new RegExp(`^(?:${[...OPENING].join('|')})(?:key|secret|token)$`)

/** The parameters of a presigned address, which differ each time. */
const SIGNED =
  /^x-(?:amz|goog)-(?:algorithm|content-sha256|credential|date|expires|security-token|signature|signedheaders)$/i

/** True for a query parameter whose value is a credential, judged by the whole words of its name. */
export function isCredentialParameter(name: string): boolean {
  if (SIGNED.test(name)) return true
  const read = wordsOf(name)
  // `AWSAccessKeyId` differs with each key.
  if (read.length > 2 && read.at(-1) === 'id' && read.at(-2) === 'key') read.pop()
  const [last = '', before] = read.toReversed()
  if (CREDENTIAL.has(last) || AS_ONE.test(last)) return true
  // Alone, `code` is that of a login, or the key of an Azure function.
  if (before === undefined) return last === 'code' || AMBIGUOUS.has(last)
  return AMBIGUOUS.has(last) && OPENING.has(before)
}

function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$2 ')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean)
}

function words(...lines: string[]): Set<string> {
  return new Set(lines.join(' ').split(' '))
}
