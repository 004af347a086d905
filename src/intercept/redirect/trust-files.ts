import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../../prompt/sha256.ts'
import { remember } from '../../remember.ts'
import { builtin } from '../patch/builtin.ts'

type Variables = Readonly<Record<string, string | undefined>>

/** Name a file with certificates that a program believes beside those that it knows. */
const BESIDE = ['NODE_EXTRA_CA_CERTS', 'DENO_CERT']

/** Name a file in the place of those that it knows. */
const INSTEAD = [
  'SSL_CERT_FILE',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'AWS_CA_BUNDLE',
  'GIT_SSL_CAINFO',
  'CODEX_CA_CERTIFICATE',
  'GRPC_DEFAULT_SSL_ROOTS_FILE_PATH',
]

/** Where the certificates are that this machine believes; each system has one of these. */
const SYSTEM_FILES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/cert.pem',
]

/**
 * The variables by which a program believes the certificates of the gateway, and all others that it believed before: those of
 * the machine, and those that the user has named.
 *
 * @param authority the certificate of who vouches for the gateway
 * @param folder where files can be written
 */
export function trustFiles(
  env: Variables,
  authority: string,
  folder: string,
): Record<string, string> {
  if (!existsSync(folder)) return {}
  const named = (names: string[]): string[] => names.map((name) => env[name] ?? '')
  const beside = write(folder, [authority], named(BESIDE))
  const instead = write(folder, [authority, systemRoots()], named([...BESIDE, ...INSTEAD]))
  return Object.fromEntries([
    ...BESIDE.map((name) => [name, beside] as const),
    ...INSTEAD.map((name) => [name, instead] as const),
  ])
}

/** Writes what there is of certificates into one file, each once. The same ones are one file. */
function write(folder: string, texts: string[], paths: string[]): string {
  const { name, text } = bundle(texts, paths)
  const path = join(folder, name)
  if (!existsSync(path)) writeFileSync(path, text)
  return path
}

/** What was read once in this process stays: most programs of a run are told the same. */
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

const rootsOf = remember((platform) => {
  const known = SYSTEM_FILES.find((path) => existsSync(path))
  // Other systems keep them in no file, or keep those of a company elsewhere.
  if (platform !== 'darwin' && platform !== 'win32' && known) return readCertificates(known)
  const { getCACertificates, rootCertificates } = builtin('node:tls')
  // Node has it since 22.15.
  const ofSystem = (getCACertificates as typeof getCACertificates | undefined)?.('system') ?? []
  return [...ofSystem, ...rootCertificates].join('\n')
})

function systemRoots(): string {
  return rootsOf(process.platform)
}
