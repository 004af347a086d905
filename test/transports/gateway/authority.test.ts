import { spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { needs } from '../../needs.ts'
import { Authority } from '../../../src/transports/gateway/authority.ts'

const authority = new Authority()

test.for([
  ['api.openai.com', 'DNS:api.openai.com'],
  ['10.1.2.3', 'IP Address:10.1.2.3'],
  ['fd00::1', 'IP Address:FD00:0:0:0:0:0:0:1'],
  ['::ffff:1.2.3.4', 'IP Address:0:0:0:0:0:FFFF:102:304'],
])('a certificate is for its host alone, and by its authority: %s', ([host, names]) => {
  const { cert } = authority.credentialsFor(host!)
  const [own, issuer] = cert.match(/-----BEGIN [^]+?-----END [^\n]+/g)!.map((pem) => {
    return new X509Certificate(pem)
  })
  expect(own!.subjectAltName).toBe(names)
  expect(own!.ca).toBe(false)
  expect(issuer!.ca).toBe(true)
  expect(own!.verify(issuer!.publicKey) && own!.checkIssued(issuer!)).toBe(true)
  expect(issuer!.verify(issuer!.publicKey)).toBe(true)
})

test('a certificate holds now, whatever time a test has set', () => {
  vi.useFakeTimers({ now: new Date('1999-01-01') })
  onTestFinished(() => void vi.useRealTimers())
  const { validFromDate, validToDate } = new X509Certificate(new Authority().pem)
  vi.useRealTimers()
  expect(+validFromDate).toBeLessThan(Date.now())
  expect(+validToDate).toBeGreaterThan(Date.now())
})

test('no two authorities are the same, and the key of neither is in what it gives out', () => {
  expect(new Authority().pem).not.toBe(authority.pem)
  expect(authority.pem).not.toContain('PRIVATE')
})

test('OpenSSL finds nothing wrong with it, as strictly as it can look', needs('openssl'), () => {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [ca, own] = ['ca.pem', 'own.pem'].map((name) => join(folder, name))
  writeFileSync(ca!, authority.pem)
  writeFileSync(own!, authority.credentialsFor('api.openai.com').cert)
  const options = ['-x509_strict', '-purpose', 'sslserver', '-verify_hostname', 'api.openai.com']
  const { stdout, stderr } = spawnSync('openssl', ['verify', ...options, '-CAfile', ca!, own!])
  expect(String(stdout) + String(stderr)).toBe(`${own}: OK\n`)
})
