import { type JsonValue, tryParseJson } from '../../json/json-value.ts'
import { walk } from '../../json/walk.ts'
import { isCredentialName } from '../credential-name.ts'

/** A part of the value of a variable. */
export interface CredentialPart {
  value: string
  /** The name beside it in the value: that of a field, or `password` in an address. Absent where it has none. */
  name?: string
}

/** The most decodings of a value inside of a value: a key in JSON in base64 in JSON. */
const MAX_DEPTH = 4

/** The words before a token in a header. */
const SCHEME =
  /^(?:api-?key|basic|bearer|digest|genie-?key|key|oauth|splunk|ssws|token)[ \t]+(\S+)$/i

/** The users and passwords of addresses. A password that is not encoded can have an `@`. */
const ADDRESS = /[a-z][a-z0-9+.-]*:\/\/([^\s:/?#@]*)(?::([^\s/]*))?@/gi

/** A password that is not encoded can have a slash, too. */
const WITH_SLASH = /^[a-z][a-z0-9+.-]*:\/\/[^\s:/@]*:(\S+)@/i

/** A field and its value, as in DSNs, queries, ini files and headers. */
const FIELD =
  /(?<![\w.-])([A-Za-z_][\w.-]*)[ \t]*(?:=|:(?!\/\/))[ \t]*("[^"\n]*"|'[^'\n]*'|(?:(?:basic|bearer|token) )?[^\s;,&"']+)/gi

/** A field of a connection string, whose value ends at a semicolon alone. */
const CONNECTION_FIELD = /(?:^|;)\s*([A-Za-z][\w .-]*?)\s*=\s*([^;]*)/g

const BASE64 = /^[\w+/-]{8,}={0,2}$/

/** The first and the last line of a key. */
const PEM_BORDER = /-----(?:BEGIN|END)[ A-Z0-9]+-----/g

/**
 * The parts of a value that are credentials without the rest of it: the token behind its scheme, the passwords in
 * addresses, the fields of connection strings and of JSON that are called like one, what base64 stands for, the lines of a
 * key, and the items of a list.
 */
export function partsOfCredential(value: string, depth: number = MAX_DEPTH): CredentialPart[] {
  if (depth === 0) return []
  const parts = directParts(value, depth)
  const inside = parts.flatMap(({ value: part, name }) =>
    part === value
      ? []
      : partsOfCredential(part, depth - 1).map((one) => ({ ...one, name: one.name ?? name })),
  )
  return [...parts, ...inside]
}

function directParts(value: string, depth: number): CredentialPart[] {
  const json = /^[[{]/.test(value) ? tryParseJson(value) : undefined
  if (json !== undefined) return partsOfJson(json)
  // As files of variables spell a key of several lines.
  const lines = value.replaceAll(/\\r\\n|\\n|\\r|\r\n|\r/g, '\n')
  const unescaped = lines === value ? [] : [{ value: lines }]
  if (PEM_BORDER.test(lines)) return [...unescaped, ...partsOfKey(lines)]
  return [
    ...unescaped,
    ...partsOfScheme(value),
    ...partsOfAddresses(value),
    ...partsOfFields(value),
    ...partsOfBase64(value, depth),
    ...partsOfList(lines),
  ]
}

/** The fields that are called like a credential; where none is, each text. */
function partsOfJson(json: JsonValue): CredentialPart[] {
  const found: CredentialPart[] = []
  const texts: CredentialPart[] = []
  walk(json, (value, at) => {
    if (typeof value !== 'string') return
    const name = at.findLast((key) => typeof key === 'string')
    if (name !== undefined && isCredentialName(name)) found.push({ value, name })
    else if (value.includes('://')) found.push(...partsOfAddresses(value))
    else texts.push({ value })
  })
  return found.length > 0 ? found : texts
}

/** The content of a key in one piece, and each line of it. */
function partsOfKey(key: string): CredentialPart[] {
  const lines = key
    .replaceAll(PEM_BORDER, '\n')
    .split(/\s+/)
    .filter((line) => BASE64.test(line))
  // The end of the last line is short, and no other text has a line of less than this by chance.
  const pieces = lines.flatMap((line) => (line.length > 76 ? line.match(/.{1,64}/g)! : [line]))
  return [lines.join(''), ...pieces.filter((line) => line.length >= 16)].map((one) => ({
    value: one,
    name: 'private key',
  }))
}

function partsOfScheme(value: string): CredentialPart[] {
  const [, token] = SCHEME.exec(value) ?? []
  return token === undefined ? [] : [{ value: token, name: 'token' }]
}

function partsOfAddresses(value: string): CredentialPart[] {
  const found = Array.from(value.matchAll(ADDRESS), ([, user = '', password = '']) =>
    password === '' ? { value: user, name: 'user' } : { value: password, name: 'password' },
  )
  const [, slashed] = WITH_SLASH.exec(value) ?? []
  if (slashed?.includes('/') && !slashed.includes('://') && !/[?#]/.test(slashed))
    found.push({ value: slashed, name: 'password' })
  return found.flatMap(withDecoded)
}

function partsOfFields(value: string): CredentialPart[] {
  const fields = [...value.matchAll(FIELD), ...value.matchAll(CONNECTION_FIELD)]
  return fields
    .map(([, name = '', field = '']) => ({
      name: name.replaceAll(/[ .]/g, '_'),
      value: field.trim().replace(/^(["'])(.*)\1$/, '$2'),
    }))
    .filter(({ name }) => isCredentialName(name) || /^sig(?:nature)?$/i.test(name))
    .flatMap(withDecoded)
}

function withDecoded(part: CredentialPart): CredentialPart[] {
  const decoded = decodePercents(part.value)
  return decoded === part.value ? [part] : [part, { ...part, value: decoded }]
}

function partsOfBase64(value: string, depth: number): CredentialPart[] {
  if (!BASE64.test(value)) return []
  const bytes = Buffer.from(value, 'base64')
  const text = bytes.toString()
  if (!Buffer.from(text).equals(bytes) || /[^\t\n\r -~\u00a0-\uffff]/.test(text)) return []
  const [, password] = /^[^\s:{}[\]]+:([^\s].*)$/s.exec(text) ?? []
  if (password !== undefined && !password.startsWith('//'))
    return [{ value: password, name: 'password' }]
  // Any bytes can be a text: it has to have a form in which credentials stand.
  return directParts(text, depth - 1).length > 0 ? [{ value: text }] : []
}

/** The lines of a value, the items of a list, and what stands behind the name of a user. */
function partsOfList(value: string): CredentialPart[] {
  const items = value.split(/[\s,;]+/).filter(Boolean)
  if (items.length > 1)
    return items.every((item) => !/[={}"']/.test(item))
      ? items.map((item) => ({ value: item }))
      : []
  const [, password] = /^[\w.@-]+:([^\s:/]{8,})$/.exec(value) ?? []
  return password === undefined ? [] : [{ value: password }]
}

function decodePercents(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
