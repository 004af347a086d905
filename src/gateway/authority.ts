import { generateKeyPairSync } from 'node:crypto'
import type { SecureContext } from 'node:tls'
import { realTime } from '../host/clock.ts'
import { builtin } from '../intercept/patch/builtin.ts'
import { certify, type Issuer } from './certificate.ts'

/** A certificate, its key, and who vouches for it: without the last, Node would read all those that it believes. */
interface Credentials {
  key: string
  cert: string
  ca: string
}

/** Vouches for the gateway to programs that ask a provider by its own address. Its keys are in memory alone. */
export class Authority {
  /** Its own certificate: programs that have it believe the others. */
  readonly pem: string
  readonly #issuer: Issuer
  readonly #server = newKeys()
  readonly #known = new Map<string, Credentials>()

  constructor() {
    this.#issuer = { name: 'vitest-cassette, for one run of tests', ...newKeys() }
    this.pem = certify({ subject: this.#issuer, issuer: this.#issuer, now: realTime() })
  }

  /** With what a server speaks for a host. */
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

  /** The same, for a server that is asked by several names. */
  contextFor(host: string): SecureContext {
    return builtin('node:tls').createSecureContext(this.credentialsFor(host))
  }
}

function newKeys(): Omit<Issuer, 'name'> {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' })
}
