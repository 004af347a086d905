import { isJsonObject, type JsonValue } from '../../json/json-value.ts'

/** A text that looks like personal data. */
export interface PersonalText {
  /** What it looks like: `an e-mail address`, `the field "birthday"`. */
  kind: string
  text: string
}

/** Names of accounts that are nobody's. */
const NOBODY = new Set(
  'user users runner root node ubuntu vscode circleci shared public me you app'.split(' '),
)

/** The forms of personal data. A check tells chance from them, where there is one. */
const FORMS: ReadonlyArray<[kind: string, pattern: RegExp, check?: (text: string) => boolean]> = [
  ['an e-mail address', /[\w.+-]+@(?!example\.)[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}\b/gi],
  ['a phone number', /(?<![\w.+-])\+\d[\d ()/-]{7,17}\d(?![\w-]|\.\d)/g],
  ['a bank account (IBAN)', /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b/g, isIban],
  ['a card number', /(?<![\w.-])\d(?:[ -]?\d){12,18}(?![\w-]|\.\d)/g, isCard],
  [
    'an IP address',
    /(?<![\w.])(?!127\.|10\.|0\.|192\.168\.)(?:\d{1,3}\.){3}\d{1,3}(?![\w.])/g,
    (text) => text.split('.').every((part) => Number(part) < 256 && String(Number(part)) === part),
  ],
  [
    'the name of an account in a path',
    /(?<=\/(?:home|Users)\/|\\Users\\)[A-Za-z][\w-]*(?:\.[\w-]+)*/g,
    (text) => !NOBODY.has(text.toLowerCase()),
  ],
  ['the name of an account', /\bacct_\w{6,}|(?<=\barn:aws[\w-]*:\w+:[\w-]*:)\d{12}\b/g],
  ['a social security number', /(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])/g],
]

/** The names of fields with personal data, without their marks and in lower case. */
const FIELDS = new Set(
  (
    'email mail phone phonenumber mobile telephone fax firstname lastname fullname surname givenname familyname ' +
    'address street streetaddress postalcode postcode zipcode zip birthday birthdate dateofbirth dob ssn passport ' +
    'iban creditcard cardnumber taxid nationalid customername username'
  ).split(' '),
)

/** The texts of a value that look like personal data, each once: by their form, or by the name of their field. */
export function findPersonal(value: JsonValue): PersonalText[] {
  const found = new Map<string, PersonalText>()
  const add = (kind: string, text: string): void => {
    if (!found.has(text)) found.set(text, { kind, text })
  }
  const seen = new Set<string>()
  const look = (one: JsonValue): void => {
    if (typeof one === 'string') {
      // Each prompt repeats those before it.
      if (seen.has(one)) return
      seen.add(one)
      for (const [kind, pattern, check] of FORMS)
        for (const [text] of one.matchAll(pattern)) if (check?.(text) ?? true) add(kind, text)
      // Arguments and results of tools are JSON in texts.
      for (const [, name = '', text = ''] of one.matchAll(/"(\w+)"\s*:\s*"([^"\\]{2,200})"/g))
        if (isPersonal(name)) add(`the field ${JSON.stringify(name)}`, text)
    } else if (Array.isArray(one)) one.forEach(look)
    else if (isJsonObject(one))
      for (const [name, child] of Object.entries(one))
        if (typeof child === 'string' && child.length > 1 && isPersonal(name))
          add(`the field ${JSON.stringify(name)}`, child)
        else look(child)
  }
  look(value)
  return [...found.values()]
}

function isPersonal(name: string): boolean {
  return FIELDS.has(name.toLowerCase().replaceAll(/[_-]/g, ''))
}

/** Whether the check digit of a card is right (Luhn). */
function isCard(text: string): boolean {
  const digits = [...text.replaceAll(/\D/g, '')].map(Number).reverse()
  const sum = digits.reduce((total, digit, place) => {
    const counted = place % 2 ? digit * 2 : digit
    return total + (counted > 9 ? counted - 9 : counted)
  }, 0)
  return sum % 10 === 0 && new Set(digits).size > 1
}

/** Whether the check digits of an account are right (ISO 7064). */
function isIban(text: string): boolean {
  const plain = text.replaceAll(' ', '')
  const turned = plain.slice(4) + plain.slice(0, 4)
  const digits = turned.replaceAll(/[A-Z]/g, (letter) => `${letter.charCodeAt(0) - 55}`)
  return plain.length >= 15 && BigInt(digits) % 97n === 1n
}
