import { generateKeyPairSync } from 'node:crypto'
import type { SecureContext } from 'node:tls'
import { realTime } from '../../real/clock.ts'
import { builtin } from '../../real/builtin.ts'
import { certify, type CertificateIssuer } from './certificate.ts'

/**
 * A certificate, its key, and the certificate of its authority: without that, Node would read all that the machine
 * trusts.
 */
interface Credentials {
  key: string
  cert: string
  ca: string
}

/**
 * Signs the certificates of the gateway, for programs that call a provider by its own address. Its keys are in memory
 * alone.
 */
export class Authority {
  /** Its own certificate. Programs that have it trust the others. */
  readonly pem: string
  readonly #issuer: CertificateIssuer
  readonly #server = newKeys()
  readonly #known = new Map<string, Credentials>()

  constructor() {
    this.#issuer = { name: 'vitest-cassette, for one run of tests', ...newKeys() }
    this.pem = certify({ subject: this.#issuer, issuer: this.#issuer, now: realTime() })
  }

  /** The credentials of a server for a host. */
  credentialsFor(host: string): Credentials {
    const known = this.#known.get(host)
    if (known) return known
    const { publicKey, privateKey } = this.#server
    const subject = { name: 'vitest-cassette', publicKey }
    const cert = certify({ subject, issuer: this.#issuer, host, now: realTime() })
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
    const credentials = { key, cert: cert + this.pem, ca: this.pem }
    this.#known.set(host, credentials)
    return credentials
  }

  /** The TLS context of a server for a host, where one server speaks for several. */
  contextFor(host: string): SecureContext {
    return builtin('node:tls').createSecureContext(this.credentialsFor(host))
  }
}

function newKeys(): Omit<CertificateIssuer, 'name'> {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' })
}
