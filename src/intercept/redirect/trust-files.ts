import { join } from 'node:path'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from '../../real/files.ts'
import { sha256 } from '../../prompt/sha256.ts'
import { remember } from '../../remember.ts'
import { builtin } from '../../real/builtin.ts'

/** Variables for a file with certificates that a program trusts in addition. */
const BESIDE = ['NODE_EXTRA_CA_CERTS', 'DENO_CERT']

/** Variables for a file with all certificates that a program trusts. */
const INSTEAD = [
  'SSL_CERT_FILE',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'AWS_CA_BUNDLE',
  'GIT_SSL_CAINFO',
  'CODEX_CA_CERTIFICATE',
  'GRPC_DEFAULT_SSL_ROOTS_FILE_PATH',
]

/** Files with the certificates that a machine trusts. Each system has one of these. */
const SYSTEM_FILES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/cert.pem',
]

/**
 * The variables by which a program trusts the certificates of the gateway, and all others that it trusted before:
 * those of the machine, and those that the user has named.
 *
 * @param authority the certificate of the authority that signs for the gateway
 * @param folder takes the files
 */
export function trustFiles(
  env: NodeJS.ProcessEnv,
  authority: string,
  folder: string,
): Record<string, string> {
  if (!existsSync(folder)) return {}
  const named = (names: string[]): string[] => names.map((name) => env[name] ?? '')
  const beside = write(folder, [authority], named(BESIDE))
  const instead = write(
    folder,
    [authority, rootsOf(process.platform)],
    named([...BESIDE, ...INSTEAD]),
  )
  return Object.fromEntries([
    ...BESIDE.map((name) => [name, beside] as const),
    ...INSTEAD.map((name) => [name, instead] as const),
  ])
}

/** Writes certificates into one file, each once. The same certificates give the same file. */
function write(folder: string, texts: string[], paths: string[]): string {
  const { name, text } = bundle(texts, paths)
  const path = join(folder, name)
  if (!existsSync(path)) writeFileSync(path, text)
  return path
}

/** Cached for this process: most programs of a run get the same certificates. */
const bundles = new Map<string, { name: string; text: string }>()

function bundle(texts: string[], paths: string[]): { name: string; text: string } {
  const key = JSON.stringify([texts[0], texts.length, ...paths])
  const known = bundles.get(key)
  if (known) return known
  const all = [...texts, ...paths.map(readCertificates)]
  const found = all.flatMap((text) => text.match(/-----BEGIN [^]+?-----END [^\n]+/g) ?? [])
  const text = [...new Set(found), ''].join('\n')
  const made = { name: `trusted-${sha256(text)}.pem`, text }
  bundles.set(key, made)
  return made
}

/** The certificates in a file, or in the files of a folder; nothing where there are none. */
function readCertificates(path: string): string {
  if (path === '') return ''
  try {
    if (!statSync(path).isDirectory()) return readFileSync(path, 'latin1')
    return readdirSync(path)
      .map((name) => readFileSync(join(path, name), 'latin1'))
      .join('\n')
  } catch {
    return ''
  }
}

/** The certificates that a machine trusts. */
const rootsOf = remember((platform) => {
  const known = SYSTEM_FILES.find((path) => existsSync(path))
  // macOS and Windows keep certificates in no file, or those of a company elsewhere.
  if (platform !== 'darwin' && platform !== 'win32' && known) return readCertificates(known)
  const { getCACertificates, rootCertificates } = builtin('node:tls')
  // Node has it since 22.15.
  const ofSystem = (getCACertificates as typeof getCACertificates | undefined)?.('system') ?? []
  return [...ofSystem, ...rootCertificates].join('\n')
})
