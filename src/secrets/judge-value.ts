import { isRandom, oddIn } from './is-random.ts'

/** Words that authors of documentation put where a credential would stand. */
const DOCUMENTED =
  /example|your[-_ ]?|placeholder|dummy|change[-_]?(?:it|me)|redacted|replace[-_]?(?:me|with)|insert[-_]|sample|not[-_]?a[-_]?real/i

/** What is put in at its place: variables of shells, templates and programs, and what is crossed out. */
const VARIABLE =
  /^(?:<[^<>]*>|\[[^[\]]*\]|\{[^{}]*\}|%\w+%|\$\([^()]*\)|[*•x.]+)$|[$#%]\{[\w.:? -]+\}|\{\{.*\}\}|\.\.\.|…|(?:process|import\.meta|os|std)\.?(?:env|getenv)|(?:secrets|vars|env|config|settings|self|this|args|options|params|props)\.[a-z_]/i

/** A path, an address, a name of Amazon, or the digest of something. */
const REFERENCE =
  /^(?:arn:\S+:|(?:\.{1,2}|~)?\/(?:[\w.-]+\/)+|[a-z]:\\|[a-z][a-z0-9+.-]{1,20}:\/\/|(?:sha\d+|md5)[:-]|\$(?:2[aby]|[156]|apr1|argon2\w{1,2}|scrypt|pbkdf2\S{0,10})\$)/i

/** A call, or a part of an object: the value is there, and not here. */
const CODE =
  /^\$\w+$|^(?:new |await )?[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*\(|^[A-Za-z_]\w*(?:\??\.[A-Za-z_]\w*)+$/

/** What stands for a password in manuals, with digits and symbols taken off. */
const PASSWORD_WORDS = new Set(
  (
    'pass passw passwd password passphrase passwort pw pwd psw secret secrets mysecret mysecretpassword mypassword mypass mypasswd ' +
    'userpassword userpass dbpassword dbpass yourpassword thepassword somepassword password text string str null none ' +
    'undefined true false test testing tester testpass testpassword dev admin administrator root user username ' +
    'postgres mysql redis mongo mongodb guest default demo foo bar baz foobar qwerty letmein changeit token key apikey ' +
    'required optional hidden encrypted hashed value abc xyz sa pswd passwordhere p ssword passw rd'
  ).split(' '),
)

/** True for a value that holds the place of a credential, or says where it is. */
function isPlaceholder(value: string): boolean {
  if (DOCUMENTED.test(value) || VARIABLE.test(value)) return true
  return CODE.test(value) && !isRandom(value.replace('$', ''))
}

/** True for a value without a shape that is a credential because of its name. */
export function isToken(value: string): boolean {
  if (value.length < 12 || isPlaceholder(value) || isReference(value)) return false
  const plain = decoded(value)
  return plain === undefined ? isRandom(value) : isToken(plain) || isLogin(plain)
}

/** True for what people and programs choose as a password: more than a word, or a word that no manual has. */
export function isPassword(value: string): boolean {
  if (value.length < 6 || isPlaceholder(value) || isReference(value)) return false
  const plain = decoded(value)
  if (plain !== undefined && plain !== value) return isPassword(plain)
  if (isCommon(value) || !/[A-Za-z]/.test(value)) return false
  const isMixed = /[A-Za-z]\d|\d[A-Za-z]|[^\w\s.,:;/'"()-]./.test(value)
  return oddIn(value) >= (isMixed ? 1 : 3)
}

/** The password in an address, where only a password can stand; here a word is one, too. */
export function isPasswordOf(user: string, value: string): boolean {
  if (value.length < 4 || value === user || isPlaceholder(value) || isCommon(value)) return false
  return !/^\d{1,5}$/.test(value) && !/^(.)\1*$/.test(value)
}

/** `user:password`, as it is sent in base64. */
export function isLogin(text: string): boolean {
  const [, user, password] = /^([^\s:]{0,100}):(\S{4,200})$/.exec(text) ?? []
  return password !== undefined && isPasswordOf(user!, password)
}

/** What base64 says, where it is base64 of a text. */
export function decoded(value: string): string | undefined {
  if (value.length < 8 || !/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return undefined
  const text = Buffer.from(value, 'base64').toString()
  return /^[ -~\s]{5,}$/.test(text) && Buffer.from(text).toString('base64') === value
    ? text
    : undefined
}

function isReference(value: string): boolean {
  const [start] = REFERENCE.exec(value) ?? []
  // A path can be a random one of base64, and a digest is one.
  return start !== undefined && (!start.endsWith('/') || !isRandom(value.slice(start.length)))
}

function isCommon(value: string): boolean {
  const word = value.toLowerCase().replaceAll(/[^a-z]+/g, '')
  return PASSWORD_WORDS.has(word) || PASSWORD_WORDS.has(value.toLowerCase())
}
