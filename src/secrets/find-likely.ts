import { escapePattern } from '../text/escape-pattern.ts'
import { credentialKind } from './credential-name.ts'
import { isFiller, isRandom } from './find/is-random.ts'
import { isPassword, isToken } from './find/judge-value.ts'
import { FORMS } from './rules/forms.ts'
import gitleaks from './rules/gitleaks.json' with { type: 'json' }
import { type CredentialIssuer, ISSUER_NAMES, ISSUERS } from './rules/issuers.ts'

/** A text that looks like a credential, and its position. */
export interface SecretHit {
  at: number
  /** The rule that found it. */
  rule: string
  secret: string
}

/** Finds what looks like a credential, by all rules: the first in their order counts where two of them find the same. */
export function findLikely(text: string): SecretHit[] {
  return [...findIssued(text), ...findFormed(text), ...findNamed(text)]
}

interface Rule {
  name: string
  mark: string
  pattern: () => RegExp
  /** Whether what follows the mark has to be random. */
  isStrict: boolean
  /** Whether it begins a word. */
  isPrefix: boolean
  /** The third character of the mark: most texts with its first two have another. */
  third: number
}

/** A shorter mark occurs in other words too. */
const TELLING = 4

/** Marks with which only credentials begin; issuers change how long those are. */
const ONLY_MARK = /^(?!(?:access|api|ext|key|opt|publishable|sdk|secret|shared)[_-]).{3,}[_-]$/

/** What follows such a mark in a credential of a length that nobody has described. */
const ANY_LENGTH = String.raw`[\w-]{20,200}`

const described: CredentialIssuer[] = [
  ...ISSUERS,
  ...(gitleaks.marked as unknown as CredentialIssuer[]),
]
const marks = new Map(
  described.filter(([, mark]) => ONLY_MARK.test(mark)).map((rule) => [rule[1], rule]),
)

const [NONE, OF_WORDS, ANYWHERE] = [0, 1, 2]

/** The rules by the first two characters of their marks. */
const rulesAt = new Map<number, Rule[]>()

/** Which pairs of characters begin a mark: none, as most, or only such as begin a word, or others too. */
const kindAt = new Uint8Array(1 << 14)

for (const [name, mark, after, before] of described)
  addRule(name, mark, after, mark.length < TELLING, before)
for (const [mark, [name]] of marks) addRule(name, mark, ANY_LENGTH, true)

function addRule(
  name: string,
  mark: string,
  after: string,
  isStrict: boolean,
  before?: string,
): void {
  const isPrefix = before === undefined && /^[A-Za-z0-9]/.test(mark)
  const lead = before === undefined ? '' : `(?<=(?<![A-Za-z0-9])(${before}))`
  const plain = escapePattern(mark)
  let made: RegExp | undefined
  // Compiled on first use: there are many, and most texts need none.
  const pattern = (): RegExp => (made ??= new RegExp(`${lead}${plain}${after}(?![A-Za-z0-9])`, 'y'))
  const pair = pairAt(mark, 0)
  if (!rulesAt.has(pair)) rulesAt.set(pair, [])
  rulesAt.get(pair)!.push({ name, mark, pattern, isStrict, isPrefix, third: mark.charCodeAt(2) })
  kindAt[pair] = Math.max(kindAt[pair]!, isPrefix ? OF_WORDS : ANYWHERE)
}

/** Two characters as a number; more than the rules have for others than those of ASCII. */
function pairAt(text: string, at: number): number {
  return (text.charCodeAt(at) << 7) | text.charCodeAt(at + 1)
}

/**
 * Visits the marks of issuers in a text. Goes through it once, however many issuers there are.
 *
 * @param visit gets the rules whose mark stands at a place, and returns where to go on; `undefined` at the next character
 * @param starts places at which a word begins, whatever stands before them
 */
export function visitMarks(
  text: string,
  visit: (at: number, rules: readonly Rule[]) => number | undefined,
  starts?: ReadonlySet<number>,
): void {
  /** Where the visitor went on, which is amid a word. */
  let wentOn = -1
  for (let at = 0; at + 1 < text.length;) {
    const kind = text.charCodeAt(at + 1) < 128 ? kindAt[pairAt(text, at)] : NONE
    // Nearly every character ends here.
    if (kind === undefined || kind === NONE) {
      at++
      continue
    }
    const isInside =
      !starts?.has(at) && (at === wentOn || (at > 0 && isAlphanumeric(text.charCodeAt(at - 1))))
    const marked = kind === OF_WORDS && isInside ? undefined : marksAt(text, at, isInside)
    const next = marked && visit(at, marked)
    if (next !== undefined) wentOn = next
    at = next ?? at + 1
  }
}

/** The rules whose mark stands at a place; `undefined` where there is none. */
function marksAt(text: string, at: number, isInside: boolean): Rule[] | undefined {
  let marked: Rule[] | undefined
  const third = text.charCodeAt(at + 2)
  for (const rule of rulesAt.get(pairAt(text, at))!) {
    if ((rule.isPrefix && isInside) || (rule.mark.length > 2 && rule.third !== third)) continue
    if (text.startsWith(rule.mark, at)) (marked ??= []).push(rule)
  }
  return marked
}

function isAlphanumeric(code: number): boolean {
  const lower = code | 32
  return (code >= 48 && code <= 57) || (lower >= 97 && lower <= 122)
}

/** Finds credentials by the marks that their issuers put into them: at each mark, the longest. */
export function findIssued(text: string): SecretHit[] {
  const hits: SecretHit[] = []
  visitMarks(text, (at, rules) => {
    const found = rules.flatMap((rule) => issuedAt(text, at, rule) ?? [])
    if (found.length === 0) return undefined
    const hit = found.reduce((one, other) =>
      other.secret.length > one.secret.length ? other : one,
    )
    hits.push(hit)
    return hit.at + hit.secret.length
  })
  return hits
}

/** The credential that the rule of a mark describes, if it is no filler. */
function issuedAt(text: string, at: number, rule: Rule): SecretHit | undefined {
  const pattern = rule.pattern()
  pattern.lastIndex = at
  const [whole, before = ''] = pattern.exec(text) ?? []
  if (whole === undefined || isNone(before + whole.slice(rule.mark.length), rule.isStrict))
    return undefined
  return { at: at - before.length, rule: rule.name, secret: before + whole }
}

function isNone(chosen: string, isStrict: boolean): boolean {
  return isStrict ? !isRandom(chosen) : isFiller(chosen) || chosen.endsWith('EXAMPLE')
}

/** The forms whose marks are words, which most texts have none of, and a search for all of these marks at once. */
const WORDY = FORMS.filter(({ mark }) => mark.length > 2)
const BRIEF = FORMS.filter(({ mark }) => mark.length <= 2)
const MAY_BE_WORDY = new RegExp(WORDY.map(({ mark }) => escapePattern(mark)).join('|'))

/** The forms whose marks a text holds. */
function formsIn(text: string): typeof FORMS {
  const lowered = text.toLowerCase()
  const likely = MAY_BE_WORDY.test(lowered) ? FORMS : BRIEF
  return likely.filter(({ mark }) => lowered.includes(mark))
}

/** Finds credentials by the text around them. */
function findFormed(text: string): SecretHit[] {
  return formsIn(text).flatMap(({ name, pattern, accept }) =>
    Array.from(text.matchAll(pattern)).flatMap((match) => {
      const groups = match.groups ?? {}
      const secret = groups.secret ?? groups.double ?? groups.single ?? match[0]
      if (accept && !accept(secret, groups)) return []
      return { at: match.index + match[0].lastIndexOf(secret), rule: name, secret }
    }),
  )
}

/** The text between a name and its value: `=`, `: `, `">`, `", "`, `" value="`, ` is `. */
const BETWEEN = String.raw`(?:["'\`\])*]{0,3}[ \t]{0,4}(?:=>|:=|\?=|=|:)[*\s]{0,4}|["'\`]\s?,\s{0,4}(?=["'\`])|>\s{0,4}|["']?,?\s{1,12}["']?value["']?\s?[:=]\s{0,2}|[ \t](?=["'\`])|["'\`*]{0,2}(?: (?:for|of) [\w .-]{1,30}?)?\s(?:is|was)(?: now)?:?\s)`

/** A value in quotes, or up to the next space. A lookahead, since a value can contain names. */
const VALUE = String.raw`(?=(?:[bfr]?"([^"\n]{4,200})"|'([^'\n]{4,200})'|\`([^\`\n]{4,200})\`|(\S{4,200})))`

/** A value in quotes that is too short to be one, or empty: what follows it is the next field. */
const TOO_SHORT = /^(["'`])[^"'`\n]{0,3}\1(?=[\s,;&)}\]]|$)/

const PAIR = new RegExp(
  String.raw`(?<![\w.$])([A-Za-z_$][\w.$-]{1,80})(?![\w.$-])${BETWEEN}${VALUE}`,
  'g',
)

/** A cheap check: something of this stands between every name and its value. */
const MAY_NAME = /[=:>"'`]|\s(?:is|was)[\s:]/

/** The words before the last word of a name: `mailgun api` before `key`. */
const WORDS_BEFORE = /(?:[A-Za-z][\w.-]*[ \t]+){1,2}$/

const NAMES = [...ISSUER_NAMES, ...gitleaks.named] as ReadonlyArray<readonly [string, string]>

const ISSUER = new RegExp(NAMES.map(([name]) => name).join('|'))

/** The most names to read inside the value of another: a text can consist of names only. */
const MAX_NESTED = 8

const shapes = new Map<string, RegExp>()

/** Finds credentials without a form of their own, by the name before them. */
function findNamed(text: string): SecretHit[] {
  if (!MAY_NAME.test(text)) return []
  const hits: SecretHit[] = []
  let end = 0
  let nested = 0
  for (const match of text.matchAll(PAIR)) {
    const [whole, last, ...values] = match
    const start = match.index + whole.length
    nested = start < end ? nested + 1 : 0
    if (nested === 0) end = start + values.find((value) => value !== undefined)!.length
    if (nested > MAX_NESTED) continue
    if (TOO_SHORT.test(values[3] ?? '')) continue
    const name = nameOf(text, match.index, last!)
    const quoted = values.slice(0, 3).find((value) => value !== undefined)
    const found = (quoted === undefined ? cutsOf(values[3]!, whole) : [quoted]).find((value) =>
      isCredential(name, value),
    )
    if (found === undefined) continue
    hits.push({ at: text.indexOf(found, start), rule: 'named-credential', secret: found })
  }
  return hits
}

function isCredential(name: string, value: string): boolean {
  // An object: its own names are looked at in turn.
  if (/^[{[]["'{]/.test(value)) return false
  switch (credentialKind(name)) {
    case 'password':
      return isPassword(value)
    case 'token':
      return isToken(value)
    default:
      return isOfIssuer(name, value)
  }
}

/** Whether the name contains an issuer, and the value has the form of its credentials. */
function isOfIssuer(name: string, value: string): boolean {
  const joined = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  const [issuer] = ISSUER.exec(joined) ?? []
  return issuer !== undefined && shapeOf(issuer).test(value) && isRandom(value)
}

function shapeOf(issuer: string): RegExp {
  let shape = shapes.get(issuer)
  if (!shape) {
    const values = NAMES.filter(([name]) => name === issuer).map(([, value]) => value)
    shapes.set(issuer, (shape = new RegExp(`^(?:${values.join('|')})$`, 'i')))
  }
  return shape
}

/** The whole name: its last word, with up to two words before it. */
function nameOf(text: string, at: number, last: string): string {
  const [before = ''] = WORDS_BEFORE.exec(text.slice(Math.max(0, at - 30), at)) ?? []
  return before + last
}

/** The possible values without quotes: up to the next field, or to a space; in an element, to its closing tag. */
function cutsOf(run: string, before: string): string[] {
  if (/[^=]>\s*$/.test(before)) return run.includes('</') ? run.split('</', 1) : []
  const end = /[&;,](?=["']?[\w-]+["']?[=:])|[;,]$|["'`]\s*[,)}\]]/
  const [first] = run.split(end)
  return [...new Set([first!, run])].map((value) =>
    value.replace(/^["'`]/, '').replace(/["'`.,;:!?)\]}>*\\]+$/, ''),
  )
}
