import { isRandom, oddIn } from './is-random.ts'

/** Words that authors of documentation put where a credential would stand. */
const DOCUMENTED =
  /example|your[-_ ]?|placeholder|dummy|change[-_]?(?:it|me)|redacted|replace[-_]?(?:me|with)|insert[-_]|sample|not[-_]?a[-_]?real/i

/** Forms that stand for a value: variables of shells, templates and programs, and crossed-out texts. */
const VARIABLE =
  /^(?:<[^<>]*>|\[[^[\]]*\]|\{[^{}]*\}|%\w+%|\$\([^()]*\)|[*•x.]+)$|[$#%]\{[\w.:? -]+\}|\{\{.*\}\}|\.\.\.|…|(?:process|import\.meta|os|std)\.?(?:env|getenv)|(?:secrets|vars|env|config|settings|self|this|args|options|params|props)\.[a-z_]/i

/** A path, an address, a resource name of Amazon, or a digest. */
const REFERENCE =
  /^(?:arn:\S+:|(?:\.{1,2}|~)?\/(?:[\w.-]+\/)+|[a-z]:\\|[a-z][a-z0-9+.-]{1,20}:\/\/|(?:sha\d+|md5)[:-]|\$(?:2[aby]|[156]|apr1|argon2\w{1,2}|scrypt|pbkdf2\S{0,10})\$)/i

/** Code that reads a value from elsewhere: a call, or a part of an object. */
const CODE =
  /^\$\w+$|^(?:new |await )?[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*\(|^[A-Za-z_]\w*(?:\??\.[A-Za-z_]\w*)+$/

/** Words for a password in manuals, without digits and symbols. */
const PASSWORD_WORDS = new Set(
  (
    'pass passw passwd password passphrase passwort pw pwd psw secret secrets mysecret mysecretpassword mypassword mypass mypasswd ' +
    'userpassword userpass dbpassword dbpass yourpassword thepassword somepassword password text string str null none ' +
    'undefined true false test testing tester testpass testpassword dev admin administrator root user username ' +
    'postgres mysql redis mongo mongodb guest default demo foo bar baz foobar qwerty letmein changeit token key apikey ' +
    'required optional hidden encrypted hashed value abc xyz sa pswd passwordhere p ssword passw rd'
  ).split(' '),
)

/** True for a placeholder of a credential, or for code that reads one. */
function isPlaceholder(value: string): boolean {
  if (DOCUMENTED.test(value) || VARIABLE.test(value)) return true
  return CODE.test(value) && !isRandom(value.replace('$', ''))
}

/** True for a value without a form of its own that is a credential because of its name. */
export function isToken(value: string): boolean {
  if (value.length < 12 || isPlaceholder(value) || isReference(value)) return false
  const plain = decoded(value)
  return plain === undefined ? isRandom(value) : isToken(plain) || isLogin(plain)
}

/** True for a text that people and programs choose as a password: more than a word, or a word that no manual has. */
export function isPassword(value: string): boolean {
  if (value.length < 6 || isPlaceholder(value) || isReference(value)) return false
  const plain = decoded(value)
  if (plain !== undefined && plain !== value) return isPassword(plain)
  if (isCommon(value) || !/[A-Za-z]/.test(value)) return false
  const isMixed = /[A-Za-z]\d|\d[A-Za-z]|[^\w\s.,:;/'"()-]./.test(value)
  return oddIn(value) >= (isMixed ? 1 : 3)
}

/** True for the password in an address. Only a password can stand there, so a word is one too. */
export function isPasswordOf(user: string, value: string): boolean {
  if (value.length < 4 || value === user || isPlaceholder(value) || isCommon(value)) return false
  return !/^\d{1,5}$/.test(value) && !/^(.)\1*$/.test(value)
}

/** True for `user:password`, as basic authentication sends it in base64. */
export function isLogin(text: string): boolean {
  const [, user, password] = /^([^\s:]{0,100}):(\S{4,200})$/.exec(text) ?? []
  return password !== undefined && isPasswordOf(user!, password)
}

/** The text inside of a base64 value; `undefined` for any other value. */
export function decoded(value: string): string | undefined {
  if (value.length < 8 || !/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return undefined
  const text = Buffer.from(value, 'base64').toString()
  // A value that was redacted inside is spelled anew, without the padding.
  const isWhole = unpadded(Buffer.from(text).toString('base64')) === unpadded(value)
  return /^[ -~\s]{5,}$/.test(text) && isWhole ? text : undefined
}

function unpadded(base64: string): string {
  return base64.replace(/=+$/, '')
}

function isReference(value: string): boolean {
  const [start] = REFERENCE.exec(value) ?? []
  // Random base64 can begin like a path, and is then no reference.
  return start !== undefined && (!start.endsWith('/') || !isRandom(value.slice(start.length)))
}

function isCommon(value: string): boolean {
  const word = value.toLowerCase().replaceAll(/[^a-z]+/g, '')
  return PASSWORD_WORDS.has(word) || PASSWORD_WORDS.has(value.toLowerCase())
}
