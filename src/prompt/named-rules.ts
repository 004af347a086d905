import type { VolatileName } from '../config/volatile-rule.ts'

const MONTH =
  '(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\\.?'
const WEEKDAY = '(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs?)?|Fri|Sat(?:ur)?|Sun)(?:day)?'
const MONAT =
  '(?:Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)'
const WOCHENTAG = '(?:Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonnabend|Sonntag)'
const DAY = '(?:0?[1-9]|[12]\\d|3[01])'
const DAY_2 = '(?:0[1-9]|[12]\\d|3[01])'
const MONTH_2 = '(?:0[1-9]|1[0-2])'
const YEAR = '(?:19|20)\\d\\d'
const NTH = '(?:st|nd|rd|th)?'
const TIME = '(?:[01]?\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:[.,]\\d{1,9})?)?'
const HALF = '(?:[ \\u202f]?[AaPp]\\.?[Mm]\\b\\.?)?'
const ZONE = '(?: ?(?:GMT|UTC)(?:[+-]\\d{1,2}:?\\d{0,2})?(?: \\([^()\\n]{1,60}\\))?)?'

// Each look back has a fixed length, which most languages need. Loops, as a first call counts each function that runs.

/** A short word after a border, with `BORDER` and `END` in it. */
let afterWord = '(?<=END)(?:(?<=(?<!BORDER)[a-z]{2}END)'
for (let length = 3; length <= 12; length++) afterWord += `|(?<=(?<!BORDER)[a-z]{${length}}END)`
afterWord += ')'

/** Excludes a date in a name (`gpt-4o-2024-08-06`) or a version (`api-version=…`), by the text before it. */
let NAMED = '(?<![\\w./\\\\-])'
for (const close of ['', '["\'`\\]]', '["\'`\\]]{2}'])
  for (const sign of ['[:=]', '\\s[:=]', '[:=]\\s', '\\s[:=]\\s', '\\s'])
    NAMED += `(?<!version${close}${sign})(?<!version${close}${sign}["'\`])`

/** A time after a date, with the text that joins the two. */
const AND_TIME = `(?:(?:,? at |, | )${TIME}${HALF}${ZONE})?`

/** 2017 to 2033, in seconds or milliseconds. */
const EPOCH = '1[5-9]\\d{8}(?:\\d{3})?'

/** One path segment of a file name, as it stands in texts, code and JSON. */
const SEGMENT = '[^\\s/\\\\"\'`<>|:;,*?(){}[\\]]*[^\\s/\\\\"\'`<>|:;,.*?(){}[\\]]'
const SLASH = '(?:\\\\{1,4}|/)'
const DRIVE = `\\b[A-Za-z]:${SLASH}`

/** The pattern of each named rule. No rule finds a date inside of a name. */
export const NAMED_RULES: Record<VolatileName, RegExp> = {
  uuid: /(?<![\da-f])[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}(?![\da-z])/gi,
  ulid: /(?<![\dA-Za-z])[0-7](?=[\dA-Z]*[A-Z])(?=[\dA-Z]*\d)[\dA-HJKMNP-TV-Z]{25}(?![\dA-Za-z])/g,
  // Twelve digits may be an amount or an account; digits after `-8f3a-` are the end of a uuid.
  'hex-id':
    /0x[\da-f]{6,16}\b|(?<![\da-z])(?<!-[\da-f]{4}-)(?:[\da-f]{24}[\da-f]*|(?=[\da-f]*\d)(?=[\da-f]*[a-f])[\da-f]{12}[\da-f]*)(?![\da-z])(?!-[\da-f]{4}-)/gi,
  'chat-id': new RegExp(`(?<=[A-Za-z][_-])${EPOCH}(?:[_-][A-Za-z0-9]{3,})*(?![A-Za-z0-9])`, 'g'),
  'prefixed-id': new RegExp(
    `${afterWord.replaceAll('BORDER', '[A-Za-z0-9]').replaceAll('END', '_')}(?=[a-z\\d]*\\d)(?=\\d*[a-z])[a-z\\d]{12}[a-z\\d]*(?![a-z\\d])`,
    'gi',
  ),
  // A word with hyphens, or in camel case, can be as long: only random text changes often between letters and digits.
  nanoid: new RegExp(
    `(?:(?<![\\w-])|${afterWord.replaceAll('BORDER', '[\\w-]').replaceAll('END', '[_-]')})(?=[\\w-]{21}(?![\\w-]))(?=[\\w-]{0,20}\\d)` +
      '(?=(?:[\\w-]{0,19}?(?:[a-z](?=[A-Z\\d])|[A-Z](?=\\d)|\\d(?=[A-Za-z]))){4})[\\w-]{21}',
    'g',
  ),
  cuid2:
    /(?<![\dA-Za-z])(?=[a-z\d]{24,25}(?![\dA-Za-z]))(?=(?:[a-z\d]{0,22}?\d[a-z]){2})[a-z][a-z\d]{23,24}/g,
  // The first character counts the years: 1 since 2018, 4 until 2032.
  ksuid:
    /(?<![\dA-Za-z])(?=[\dA-Za-z]{27}(?![\dA-Za-z]))(?=[\dA-Za-z]{0,26}[A-Z])(?=[\dA-Za-z]{0,26}[a-z])[0-4][\dA-Za-z]{26}/g,
  'iso-datetime': new RegExp(
    `(?=[12]\\d)${NAMED}(?:${YEAR}-${MONTH_2}-${DAY_2}[T ]${TIME}(?: ?Z\\b| ?[+-]\\d\\d:?\\d\\d(?!\\d))?|${YEAR}${MONTH_2}${DAY_2}T[0-2]\\d[0-5]\\d[0-5]\\dZ?)(?![\\w])`,
    'g',
  ),
  'date-phrase': new RegExp(
    `(?=[A-Z\\d])${NAMED}(?:${WEEKDAY},? (?:the )?|${WOCHENTAG},? (?:den |der )?)?(?:` +
      [
        `${MONTH} ${DAY}${NTH},? ${YEAR}`,
        `${MONTH} {1,2}${DAY} ${TIME} ${YEAR}(?: [+-]\\d{4})?`,
        `${DAY}${NTH} (?:of )?${MONTH},? ${YEAR}`,
        `${DAY}\\. ${MONAT} ${YEAR}`,
        `${DAY}-${MONTH}-${YEAR}`,
        `${YEAR}-?W(?:0[1-9]|[1-4]\\d|5[0-3])(?:-?[1-7])?`,
        `${YEAR}-${MONTH_2}-${DAY_2}(?![T ]${TIME})`,
        `${YEAR}/${MONTH_2}/${DAY_2}`,
        `${DAY}/${DAY}/${YEAR}`,
        `${DAY}\\.${DAY}\\.${YEAR}`,
      ].join('|') +
      `)(?![\\w-])${AND_TIME}(?: \\(${WEEKDAY}\\)|,? ${WEEKDAY}\\b)?`,
    'g',
  ),
  'clock-time': new RegExp(`(?<![\\w.:/-])${TIME}${HALF}(?![\\w:])`, 'g'),
  // A comma may stand between two numbers: groups of thousands are shorter.
  epoch: new RegExp(`(?<![\\w.-])${EPOCH}(?:\\.\\d{1,9})?(?![\\w-]|\\.\\d)`, 'g'),
  'tmp-path': new RegExp(
    `(?<![\\w.])(?:(?:/private)?/var/folders/${SEGMENT}/${SEGMENT}/T/${SEGMENT}|(?:/private)?(?:/var)?/tmp/${SEGMENT}|/dev/shm/${SEGMENT})` +
      `|${DRIVE}Users${SLASH}${SEGMENT}${SLASH}AppData${SLASH}Local${SLASH}Temp${SLASH}${SEGMENT}`,
    'g',
  ),
  'home-path': new RegExp(
    `(?<![\\w.])(?:/home/${SEGMENT}|/Users/${SEGMENT}|/root(?![\\w.-]))|${DRIVE}Users${SLASH}${SEGMENT}`,
    'g',
  ),
  'localhost-port':
    /(?<=:)(?:(?<=(?<![\w.-])localhost:)|(?<=(?<![\w.-])127\.0\.0\.1:)|(?<=(?<![\w.-])0\.0\.0\.0:)|(?<=(?<![\w.-])\[::1\]:)|(?<=(?<![\w.-])host\.docker\.internal:))\d{2,5}(?!\w|\.\d)/g,
}

/** Rules whose values tell the time or the date. */
export const CLOCKS: ReadonlySet<string> = new Set<VolatileName>([
  'iso-datetime',
  'date-phrase',
  'clock-time',
  'epoch',
])

/** Rules whose values tell the time of day. It goes on while a test runs, so it is chance which of them are equal. */
export const TIMES: ReadonlySet<string> = new Set<VolatileName>([
  'iso-datetime',
  'clock-time',
  'epoch',
])

/** Fields that name a model or a version: rules for texts find nothing in them. */
export const FIXED_FIELD = /^(?:model|model_?(?:id|name)|engine|deployment|type|object)$|version$/i
