import { decoded, isLogin, isPassword, isPasswordOf, isToken } from '../find/judge-value.ts'
import { isShortLived, JWT } from './signed.ts'

/** A text around a credential that identifies it: a header, a command, an address, a file format. */
interface SecretForm {
  /** The name that is shown to the user. */
  name: string
  /** A text without this mark is skipped; in lower case. */
  mark: string
  /** Global, and bounded wherever it repeats, so that a scan stays linear; `secret` is the credential. */
  pattern: RegExp
  /** Checks a match further; absent if the pattern is enough. */
  accept?: (secret: string, groups: Record<string, string | undefined>) => boolean
}

const QUOTED = String.raw`(?:"(?<double>[^"\n]{4,200})"|'(?<single>[^'\n]{4,200})'|(?<secret>[^\s"']{4,200}))`

const BODY = String.raw`[A-Za-z0-9+/=\s\\]{40,20000}`

const isAnyPassword = (secret: string): boolean => isPassword(secret)

/** Credentials that are recognised by the text around them. A new one is an entry here. */
export const FORMS: readonly SecretForm[] = [
  { name: 'jwt', mark: 'eyj', pattern: JWT },
  {
    name: 'jwe',
    mark: 'eyj',
    pattern:
      /(?<![\w-])eyJ[\w-]{8,8000}\.[\w-]{0,2000}\.[\w-]{12,64}\.[\w-]{8,16000}\.[\w-]{16,64}(?![\w-])/g,
  },
  {
    // PEM with the headers of encrypted keys, PGP, SSH2; also where line breaks are written as \n.
    name: 'private-key',
    mark: 'private key',
    pattern: new RegExp(
      String.raw`-----?\s?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?\s?-----?(?:\s|\\{1,8}[nr]){0,8}(?:[A-Za-z0-9-]{2,30}: [^\n\\]{0,100}(?:\s|\\{1,8}[nr]){1,8}){0,6}${BODY}`,
      'g',
    ),
    accept: isNoRow,
  },
  {
    name: 'putty-key',
    mark: 'private-lines',
    pattern: new RegExp(String.raw`Private-Lines: ?\d{1,4}${BODY}`, 'g'),
    accept: isNoRow,
  },
  {
    name: 'json-web-key',
    mark: '"kty"',
    pattern: /"d"\s{0,4}:\s{0,4}"(?<secret>[\w-]{22,1400})"/g,
    accept: isToken,
  },
  {
    name: 'password-in-address',
    mark: '://',
    pattern: /:\/\/(?<user>[^\s:/?#@"'<>`]{0,100}):(?<secret>[^\s/"'<>`]{1,200})@(?=[\w.[-])/g,
    accept: (secret, { user }) => isPasswordOf(user!, unescaped(secret)),
  },
  {
    name: 'password-in-address',
    mark: 'jdbc:',
    pattern: /jdbc:oracle:\w{3,5}:(?<user>[^\s:/@]{1,60})\/(?<secret>[^\s@"']{4,100})@/gi,
    accept: (secret, { user }) => isPasswordOf(user!, secret),
  },
  {
    name: 'pgpass',
    mark: ':',
    pattern:
      /:(?<=(?<![^\s"'])[\w.*-]{1,100}:)\d{4,5}:[\w*-]{1,60}:(?<user>[\w-]{1,60}):(?<secret>[^\s"']{6,200})/g,
    accept: isAnyPassword,
  },
  {
    name: 'basic-authentication',
    mark: 'basic',
    pattern: /\bbasic\s{1,3}(?<secret>[A-Za-z0-9+/]{8,400}={0,2})/gi,
    accept: isEncodedLogin,
  },
  {
    name: 'docker-auth',
    mark: 'auth',
    pattern:
      /(?<![A-Za-z])_?auth["']?\s{0,3}[:=]\s{0,3}["']?(?<secret>[A-Za-z0-9+/]{8,400}={0,2})/g,
    accept: isEncodedLogin,
  },
  {
    name: 'bearer-token',
    mark: 'bearer',
    pattern: /\bbearer["']?[\s:=]{1,3}["']?(?<secret>[\w.~+/=-]{15,4000}[\w~+/=-])/gi,
    accept: isToken,
  },
  {
    name: 'authorization',
    mark: 'authorization',
    pattern:
      /authorization["'\]]{0,2}\s{0,3}[:=,]\s{0,3}["'`]?(?:[a-z-]{3,20}\s{1,3})?(?<secret>[\w.~+/=:-]{11,4000}[\w~+/=-])/gi,
    accept: isToken,
  },
  {
    name: 'cookie',
    mark: 'cookie',
    pattern: /cookie["'\]]{0,2}\s{0,3}[:=,]\s{0,3}["'`]?(?<secret>[^\r\n"'`]{16,4000})/gi,
    accept: (secret) => secret.split(/;\s*/).some(isSessionCookie),
  },
  {
    name: 'login',
    mark: 'auth',
    pattern: /\bauth\s?=\s?\(\s?["'][^"'\n]{0,100}["'],\s?["'](?<secret>[^"'\n]{4,200})["']/g,
    accept: isAnyPassword,
  },
  {
    name: 'user-of-curl',
    mark: 'curl',
    pattern: new RegExp(
      String.raw`\bcurl\b[^]{0,300}?\s(?:-u|--user|-U|--proxy-user)[\s=]{0,4}${QUOTED}`,
      'g',
    ),
    accept: isLogin,
  },
  {
    name: 'netrc',
    mark: 'password',
    pattern: /\b(?:login|user)\s{1,8}\S{1,100}\s{1,8}password\s{1,8}(?<secret>\S{4,200})/g,
    accept: isAnyPassword,
  },
  {
    name: 'option-of-a-command',
    mark: '--',
    pattern: new RegExp(
      String.raw`(?<![\w-])--(?:[a-z]{1,20}-){0,3}(?:password|passwd|pass|passphrase|token|api-?key|secret|access-?key)(?:=|\s{1,3})${QUOTED}`,
      'g',
    ),
    accept: isAnyPassword,
  },
  {
    name: 'option-of-a-command',
    mark: ' -p',
    pattern: new RegExp(
      String.raw`\b(?:sshpass|docker login|mysql(?:dump|admin)?)\b[^\n|;]{0,200}?\s-p\s?${QUOTED}`,
      'g',
    ),
    accept: isAnyPassword,
  },
  {
    name: 'option-of-a-command',
    mark: 'redis-cli',
    pattern: new RegExp(String.raw`\bredis-cli\b[^\n|;]{0,200}?\s-a\s${QUOTED}`, 'g'),
    accept: isAnyPassword,
  },
  {
    name: 'password-in-sql',
    mark: 'identified by',
    pattern: /\bidentified by(?: password)?\s{1,3}'(?<secret>[^'\n]{4,200})'/gi,
    accept: isAnyPassword,
  },
  {
    name: 'password-in-sql',
    mark: `password '`,
    pattern: /\bpassword '(?<secret>[^'\n]{4,200})'/gi,
    accept: isAnyPassword,
  },
  {
    name: 'shared-access-signature',
    mark: 'sig=',
    pattern:
      /(?<=(?<before>[^\s"'<>]{0,600}))[?&;]sig=(?<secret>[\w%+/=-]{40,120})(?<after>[^\s"'<>]{0,400})/g,
    accept: (_, { before, after }) => !isShortLived(`${before}${after}`),
  },
  {
    name: 'function-key',
    mark: '.azurewebsites.net',
    pattern: /[?&]code=(?<secret>[\w%+/=-]{40,120})/g,
    accept: isToken,
  },
  {
    name: 'discord',
    mark: '.',
    pattern: /(?<![\w.-])[MNO][\w-]{22,28}\.[\w-]{6}\.[\w-]{27,40}(?![\w.-])/g,
    accept: isToken,
  },
  {
    name: 'okta',
    mark: '00',
    pattern: /(?<![\w-])00(?=[\w-]{0,39}[A-Z])(?=[\w-]{0,39}[g-z])[\w-]{40}(?![\w-])/g,
    accept: isToken,
  },
  {
    name: 'x',
    mark: '-',
    pattern: /(?<![\w-])\d{15,20}-[A-Za-z0-9]{40,45}(?![\w-])/g,
    accept: isToken,
  },
  {
    name: 'facebook',
    mark: '|',
    pattern: /(?<![\w|])\d{15,16}\|(?<secret>[\w-]{27,40})(?![\w|-])/g,
    accept: isToken,
  },
]

function isNoRow(key: string): boolean {
  return new Set(key.slice(-60)).size > 8
}

function isEncodedLogin(secret: string): boolean {
  const text = decoded(secret) ?? Buffer.from(secret, 'base64').toString()
  return isLogin(text)
}

function isSessionCookie(pair: string): boolean {
  const [, name, value] = /^\s*([\w.-]{1,80})=(.{12,})$/s.exec(pair) ?? []
  return (
    /sess|sid$|auth|token|jwt|login|remember|csrf|credential/i.test(name ?? '') && isToken(value!)
  )
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
