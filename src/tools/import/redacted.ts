/** Where a mark can stand. */
type Where = 'url' | 'body'

/** What tools, and the people who configure them, write in the place of what nobody should see. */
interface Mark {
  /** For people who read this table: who writes it. */
  by: string
  in: readonly Where[]
  pattern: RegExp
}

const EVERYWHERE: readonly Where[] = ['url', 'body']

const MARKS: readonly Mark[] = [
  {
    by: 'Ruby VCR: filter_sensitive_data("<AWS_REGION>"), also percent-encoded',
    in: ['url'],
    pattern: /(?:<|%3C)[A-Z][A-Z\d]*(?:_[A-Z\d]+)*(?:>|%3E)/g,
  },
  {
    // In a prompt, one word in capitals is a tag of its author.
    by: 'the same in a body',
    in: ['body'],
    pattern: /<[A-Z][A-Z\d]*(?:_[A-Z\d]+)+>/g,
  },
  {
    by: 'vcrpy and others: filters with a word in brackets',
    in: EVERYWHERE,
    pattern: /(?:\[|%5B)(?:REDACTED|FILTERED|SCRUBBED|MASKED|HIDDEN)[^\]\n"%]{0,40}(?:\]|%5D)/gi,
  },
  {
    by: 'the word alone',
    in: EVERYWHERE,
    pattern: /(?<![\w[<*])\**(?:REDACTED|FILTERED|SCRUBBED)\**(?![\w\]>*])/g,
  },
  {
    by: 'seinfeld: the region in the host of Bedrock',
    in: ['url'],
    pattern: /(?<=\.)aws-region(?=\.)/g,
  },
  { by: 'asterisks in the place of letters', in: ['url'], pattern: /\*{2,}/g },
  {
    by: 'hand-made signatures of AWS in an address',
    in: ['url'],
    pattern:
      /\bX-Amz-(?:Signature|Credential)=(?:0{8,}|dummy|fake|test|(?:AKIA)?TEST|AKIAIOSFODNN7EXAMPLE)[^&\s]*/gi,
  },
]

/** A request as far as marks are looked for in it. */
interface Marked {
  url?: string
  body?: Uint8Array
}

/** The values in a request that stand in the place of others, each once. */
export function redactedIn({ url = '', body }: Marked): string[] {
  const texts: Array<[Where, string]> = [
    ['url', url],
    ['body', body ? Buffer.from(body).toString('latin1') : ''],
  ]
  const found = texts.flatMap(([where, text]) =>
    MARKS.filter((mark) => mark.in.includes(where)).flatMap(({ pattern }) =>
      [...new Set(text.match(pattern))].filter((mark) => !isTag(mark, text)),
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
