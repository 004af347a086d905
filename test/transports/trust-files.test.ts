import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { trustFiles } from '../../src/transports/child-environment.ts'

const [authority, corporate, other] = rootCertificates as [string, string, string]

let folder: string
let told: (env: Record<string, string>) => Record<string, string>

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trust-'))
  told = (env) => trustFiles(env, authority, folder)
})
afterEach(() => rmSync(folder, { recursive: true }))

function certificatesIn(path: string | undefined): string[] {
  return readFileSync(path!, 'utf8').match(/-----BEGIN [^]+?-----END [^\n]+/g)!
}

function write(path: string, ...certificates: string[]): string {
  writeFileSync(join(folder, path), certificates.join('\n'))
  return join(folder, path)
}

test('what is read beside what a program believes has the authority alone', () => {
  const { NODE_EXTRA_CA_CERTS, DENO_CERT } = told({})
  expect(certificatesIn(NODE_EXTRA_CA_CERTS)).toEqual([authority])
  expect(DENO_CERT).toBe(NODE_EXTRA_CA_CERTS)
})

test('what is read in its place has those of the machine too', () => {
  const { SSL_CERT_FILE, REQUESTS_CA_BUNDLE, CURL_CA_BUNDLE, CODEX_CA_CERTIFICATE } = told({})
  const all = certificatesIn(SSL_CERT_FILE)
  expect(all[0]).toBe(authority)
  expect(all.length).toBeGreaterThan(50)
  expect(new Set(all).size).toBe(all.length)
  expect([REQUESTS_CA_BUNDLE, CURL_CA_BUNDLE]).toEqual([SSL_CERT_FILE, SSL_CERT_FILE])
  expect(CODEX_CA_CERTIFICATE).toBe(SSL_CERT_FILE)
})

test('whom the user believes is believed still, named by a file or a folder', () => {
  const NODE_EXTRA_CA_CERTS = write('corporate.pem', corporate)
  mkdirSync(join(folder, 'more'))
  write('more/other.pem', other)
  const files = told({ NODE_EXTRA_CA_CERTS, REQUESTS_CA_BUNDLE: join(folder, 'more') })
  expect(certificatesIn(files.NODE_EXTRA_CA_CERTS)).toEqual([authority, corporate])
  expect(certificatesIn(files.CURL_CA_BUNDLE)).toEqual(
    expect.arrayContaining([authority, corporate, other]),
  )
})

test('a program that was told tells its children the same', () => {
  const files = told({ SSL_CERT_FILE: write('corporate.pem', corporate) })
  expect(told(files)).toEqual(files)
  expect(readdirSync(folder).filter((file) => file.startsWith('trusted-'))).toHaveLength(2)
})

test('what cannot be read is left out, and where nothing can be written nothing is said', () => {
  expect(certificatesIn(told({ SSL_CERT_FILE: '/none' }).NODE_EXTRA_CA_CERTS)).toEqual([authority])
  expect(trustFiles({}, authority, join(folder, 'gone'))).toEqual({})
})
