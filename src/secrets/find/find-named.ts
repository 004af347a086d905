import { credentialKind } from '../credential-name.ts'
import gitleaks from '../rules/gitleaks.json' with { type: 'json' }
import { ISSUER_NAMES } from '../rules/issuers.ts'
import { isRandom } from './is-random.ts'
import { isPassword, isToken } from './judge-value.ts'
import type { SecretHit } from './secret-forms.ts'

/** The text between a name and its value: `=`, `: `, `">`, `", "`, `" value="`, ` is `. */
const BETWEEN = String.raw`(?:["'\`\])*]{0,3}[ \t]{0,4}(?:=>|:=|\?=|=|:)[*\s]{0,4}|["'\`]\s?,\s{0,4}(?=["'\`])|>\s{0,4}|["']?,?\s{1,12}["']?value["']?\s?[:=]\s{0,2}|[ \t](?=["'\`])|["'\`*]{0,2}(?: (?:for|of) [\w .-]{1,30}?)?\s(?:is|was)(?: now)?:?\s)`

/** A value in quotes, or up to the next space. A lookahead, since a value can contain names. */
const VALUE = String.raw`(?=(?:[bfr]?"([^"\n]{4,200})"|'([^'\n]{4,200})'|\`([^\`\n]{4,200})\`|(\S{4,200})))`

const PAIR = new RegExp(
  String.raw`(?<![\w.$])([A-Za-z_$][\w.$-]{1,80})(?![\w.$-])${BETWEEN}${VALUE}`,
  'g',
)

/** The words before the last word of a name: `mailgun api` before `key`. */
const WORDS_BEFORE = /(?:[A-Za-z][\w.-]*[ \t]+){1,2}$/

const NAMES = [...ISSUER_NAMES, ...gitleaks.named] as ReadonlyArray<readonly [string, string]>

const ISSUER = new RegExp(NAMES.map(([name]) => name).join('|'))

/** The most names to read inside the value of another: a text can consist of names only. */
const MAX_NESTED = 8

const shapes = new Map<string, RegExp>()

/** Finds credentials without a form of their own, by the name before them. */
export function findNamed(text: string): SecretHit[] {
  const hits: SecretHit[] = []
  let end = 0
  let nested = 0
  for (const match of text.matchAll(PAIR)) {
    const [whole, last, ...values] = match
    const start = match.index + whole.length
    nested = start < end ? nested + 1 : 0
    if (nested === 0) end = start + values.find((value) => value !== undefined)!.length
    if (nested > MAX_NESTED) continue
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
