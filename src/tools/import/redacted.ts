import type { ForeignRequest } from './foreign.ts'

/** Where a mark can stand. */
type Where = 'url' | 'body'

const EVERYWHERE: readonly Where[] = ['url', 'body']

/** What tools, and the people who configure them, write in the place of what nobody should see. */
const MARKS: ReadonlyArray<[where: readonly Where[], pattern: RegExp]> = [
  // Ruby VCR: filter_sensitive_data("<AWS_REGION>"), also percent-encoded.
  [['url'], /(?:<|%3C)[A-Z][A-Z\d]*(?:_[A-Z\d]+)*(?:>|%3E)/g],
  // The same in a body. In a prompt, one word in capitals is a tag of its author.
  [['body'], /<[A-Z][A-Z\d]*(?:_[A-Z\d]+)+>/g],
  // vcrpy and others: filters with a word in brackets.
  [EVERYWHERE, /(?:\[|%5B)(?:REDACTED|FILTERED|SCRUBBED|MASKED|HIDDEN)[^\]\n"%]{0,40}(?:\]|%5D)/gi],
  // The word alone.
  [EVERYWHERE, /(?<![\w[<*])\**(?:REDACTED|FILTERED|SCRUBBED)\**(?![\w\]>*])/g],
  // seinfeld: the region in the host of Bedrock.
  [['url'], /(?<=\.)aws-region(?=\.)/g],
  // Asterisks in the place of letters.
  [['url'], /\*{2,}/g],
  // Hand-made signatures of AWS in an address.
  [
    ['url'],
    /\bX-Amz-(?:Signature|Credential)=(?:0{8,}|dummy|fake|test|(?:AKIA)?TEST|AKIAIOSFODNN7EXAMPLE)[^&\s]*/gi,
  ],
]

/** The values in a request that stand in the place of others, each once. */
export function redactedIn({ url = '', body }: Pick<ForeignRequest, 'url' | 'body'>): string[] {
  const texts: Array<[Where, string]> = [
    ['url', url],
    ['body', body ? Buffer.from(body).toString('latin1') : ''],
  ]
  const found = texts.flatMap(([where, text]) =>
    MARKS.flatMap(([places, pattern]) =>
      [...new Set(places.includes(where) ? text.match(pattern) : [])].filter(
        (mark) => !isTag(mark, text),
      ),
    ),
  )
  return [...new Set(found)]
}

/** A prompt that closes what it opens has a tag there, and not a mark. */
function isTag(mark: string, text: string): boolean {
  return mark.startsWith('<') && text.includes(`</${mark.slice(1)}`)
}

/** What stands for all of a header. LangChain's tests write one word for each. */
const WHOLE_HEADER =
  /^(?:[*]*(?:REDACTED|FILTERED|SCRUBBED|PLACEHOLDER)[*]*|\[REDACTED\]|[*]{2,})$/i

/** Whether the value of a header is not what was sent, but stands in the place of it. */
export function isHidden(value: string): boolean {
  return WHOLE_HEADER.test(value)
}
