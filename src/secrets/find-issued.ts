import gitleaks from './rules/gitleaks.json' with { type: 'json' }
import { isFiller, isRandom } from './find/is-random.ts'
import { ISSUERS, type CredentialIssuer } from './rules/issuers.ts'
import type { SecretHit } from './find/secret-forms.ts'

interface Rule {
  name: string
  mark: string
  pattern: () => RegExp
  /** Whether what follows the mark has to be random. */
  isStrict: boolean
}

/** A shorter mark occurs in other words too. */
const TELLING = 4

/** Marks with which only credentials begin; issuers change how long those are. */
const ONLY_MARK = /^(?!(?:access|api|ext|key|opt|publishable|sdk|secret|shared)[_-]).{3,}[_-]$/

/** What follows such a mark in a credential of a length that nobody has described. */
const ANY_LENGTH = String.raw`[\w-]{20,200}`

type Rules = Map<number, Rule[]>

/** The rules by the first two characters of their marks: those that begin a word, and those that stand within one. */
const [prefixes, infixes]: [Rules, Rules] = [new Map(), new Map()]

const described: CredentialIssuer[] = [
  ...ISSUERS,
  ...(gitleaks.marked as unknown as CredentialIssuer[]),
]
const marks = new Map(
  described.filter(([, mark]) => ONLY_MARK.test(mark)).map((rule) => [rule[1], rule]),
)

for (const [name, mark, after, before] of described)
  addRule(name, mark, after, before, mark.length < TELLING)
for (const [mark, [name]] of marks) addRule(name, mark, ANY_LENGTH, undefined, true)

function addRule(
  name: string,
  mark: string,
  after: string,
  before: string | undefined,
  isStrict: boolean,
): void {
  const isPrefix = before === undefined && /^[A-Za-z0-9]/.test(mark)
  const [start, end] = ['(?<![A-Za-z0-9])', '(?![A-Za-z0-9])']
  const lead = before === undefined ? '' : `(?<=${start}(${before}))`
  let made: RegExp | undefined
  // Compiled on first use: there are many, and most texts need none.
  const pattern = (): RegExp =>
    (made ??= new RegExp(
      `${lead}${mark.replaceAll(/[.|/$+]/g, String.raw`\$&`)}${after}${end}`,
      'y',
    ))
  const rules = isPrefix ? prefixes : infixes
  const key = (mark.charCodeAt(0) << 7) | mark.charCodeAt(1)
  rules.set(key, [...(rules.get(key) ?? []), { name, mark, pattern, isStrict }])
}

/** Whether a pair of characters begins a mark: most pairs do not. */
const [PREFIX, INFIX] = [1, 2] as const
const kinds = new Uint8Array(1 << 14)
for (const key of prefixes.keys()) kinds[key]! |= PREFIX
for (const key of infixes.keys()) kinds[key]! |= INFIX

/** Letters and digits: after one of them, no prefix begins. */
const isLetter = new Uint8Array(128).map((_, code) =>
  /[A-Za-z0-9]/.test(String.fromCharCode(code)) ? 1 : 0,
)

/**
 * Finds credentials by the marks that their issuers put into them. Goes through the text once, however many issuers
 * there are, and tries a pattern only at its mark.
 */
export function findIssued(text: string): SecretHit[] {
  const hits: SecretHit[] = []
  let isInside = false
  let code = text.charCodeAt(0)
  for (let at = 0; at + 1 < text.length;) {
    const next = text.charCodeAt(at + 1)
    const key = (code << 7) | next
    const kind = (code | next) < 128 ? kinds[key]! : 0
    let hit: SecretHit | undefined
    if (kind & PREFIX && !isInside) hit = issuedAt(text, at, prefixes.get(key)!)
    if (!hit && kind & INFIX) hit = issuedAt(text, at, infixes.get(key)!)
    if (hit) {
      hits.push(hit)
      at = hit.at + hit.secret.length
      code = text.charCodeAt(at)
      isInside = true
    } else {
      isInside = code < 128 && isLetter[code] === 1
      code = next
      at++
    }
  }
  return hits
}

/** The longest credential whose mark stands here. */
function issuedAt(text: string, at: number, rules: readonly Rule[]): SecretHit | undefined {
  let longest: SecretHit | undefined
  for (const { name, mark, pattern, isStrict } of rules) {
    if (!text.startsWith(mark, at)) continue
    const rule = pattern()
    rule.lastIndex = at
    const match = rule.exec(text)
    if (!match) continue
    const [whole, before = ''] = match
    const secret = before + whole
    if (
      secret.length <= (longest?.secret.length ?? 0) ||
      isNone(before + whole.slice(mark.length), isStrict)
    )
      continue
    longest = { at: at - before.length, rule: name, secret }
  }
  return longest
}

function isNone(chosen: string, isStrict: boolean): boolean {
  return isStrict ? !isRandom(chosen) : isFiller(chosen) || chosen.endsWith('EXAMPLE')
}
