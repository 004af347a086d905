import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIP } from 'node:net'
import type { SecureContext } from 'node:tls'
import * as asn1 from 'asn1js'
import { builtin } from '../../real/builtin.ts'
import { realTime } from '../../real/clock.ts'

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
 * Signs the certificates of the gateway, for programs that call a provider by its own address. With a library for
 * ASN.1: those for whole certificates sign asynchronously, and a child starts synchronously. Its keys are in memory
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

/** The subject of a certificate. */
interface Subject {
  name: string
  publicKey: KeyObject
}

/** An authority that signs certificates. */
export interface CertificateIssuer extends Subject {
  privateKey: KeyObject
}

/** The content of a certificate. */
export interface Certificate {
  subject: Subject
  issuer: CertificateIssuer
  /** The host that it is for; absent in the certificate of an authority. */
  host?: string
  /** The middle of its validity. */
  now: Date
}

/** Object identifiers of X.520, X.509, RFC 5480 and RFC 5758. */
const COMMON_NAME = '2.5.4.3'
const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2'
const SUBJECT_KEY = '2.5.29.14'
const KEY_USAGE = '2.5.29.15'
const HOSTS = '2.5.29.17'
const BASIC_CONSTRAINTS = '2.5.29.19'
const AUTHORITY_KEY = '2.5.29.35'
const EXTENDED_USAGE = '2.5.29.37'
const SERVER = '1.3.6.1.5.5.7.3.1'

/** Milliseconds before and after. Some systems trust no certificate that holds more than 825 days. */
const YEAR = 365 * 86_400_000

/** Makes a certificate, as PEM. */
function certify({ subject, issuer, host, now }: Certificate): string {
  const algorithm = sequence(oid(ECDSA_WITH_SHA256))
  const said = sequence(
    tagged(0, new asn1.Integer({ value: 2 })),
    new asn1.Integer({ valueHex: serial() }),
    algorithm,
    nameOf(issuer),
    sequence(timeOf(+now - YEAR), timeOf(+now + YEAR)),
    nameOf(subject),
    asn1.fromBER(exported(subject.publicKey)).result,
    tagged(3, sequence(...extensionsOf(subject, issuer, host))),
  )
  const signature = sign('sha256', Buffer.from(said.toBER()), issuer.privateKey)
  const whole = sequence(said, algorithm, new asn1.BitString({ valueHex: bytes(signature) }))
  const lines = Buffer.from(whole.toBER())
    .toString('base64')
    .match(/.{1,64}/g)!
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

function extensionsOf(
  subject: Subject,
  issuer: CertificateIssuer,
  host: string | undefined,
): Block[] {
  const signer = new asn1.Primitive({
    idBlock: { tagClass: 3, tagNumber: 0 },
    valueHex: keyIdOf(issuer),
  })
  const keys = [
    extension(SUBJECT_KEY, new asn1.OctetString({ valueHex: keyIdOf(subject) })),
    extension(AUTHORITY_KEY, sequence(signer)),
  ]
  if (host === undefined)
    return [
      ...keys,
      extension(BASIC_CONSTRAINTS, sequence(new asn1.Boolean({ value: true })), true),
      // Signs certificates, and nothing else.
      extension(KEY_USAGE, bits(0b0000_0100, 2), true),
    ]
  return [
    ...keys,
    extension(BASIC_CONSTRAINTS, sequence(), true),
    extension(KEY_USAGE, bits(0b1000_0000, 7), true),
    extension(EXTENDED_USAGE, sequence(oid(SERVER))),
    extension(HOSTS, sequence(hostName(host))),
  ]
}

type Block = asn1.BaseBlock

function sequence(...value: Block[]): asn1.Sequence {
  return new asn1.Sequence({ value })
}

function tagged(tagNumber: number, value: Block): asn1.Constructed {
  return new asn1.Constructed({ idBlock: { tagClass: 3, tagNumber }, value: [value] })
}

function oid(value: string): asn1.ObjectIdentifier {
  return new asn1.ObjectIdentifier({ value })
}

function bits(byte: number, unusedBits: number): asn1.BitString {
  return new asn1.BitString({ valueHex: new Uint8Array([byte]).buffer, unusedBits })
}

function extension(id: string, value: Block, isCritical: boolean = false): asn1.Sequence {
  const critical = isCritical ? [new asn1.Boolean({ value: true })] : []
  return sequence(oid(id), ...critical, new asn1.OctetString({ valueHex: value.toBER() }))
}

function nameOf({ name }: Subject): asn1.Sequence {
  const pair = sequence(oid(COMMON_NAME), new asn1.Utf8String({ value: name }))
  return sequence(new asn1.Set({ value: [pair] }))
}

function hostName(host: string): asn1.Primitive {
  const [tagNumber, valueHex] = isIP(host)
    ? [7, bytes(addressBytes(host))]
    : [2, bytes(Buffer.from(host))]
  return new asn1.Primitive({ idBlock: { tagClass: 3, tagNumber }, valueHex })
}

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number))
  // Hexadecimal groups of two bytes. `::` stands for the missing zeros.
  const { hostname } = new URL(`http://[${address}]`)
  const [before = '', after] = hostname.slice(1, -1).split('::')
  const groups = [before, after ?? ''].map((part) => part.split(':').filter(Boolean))
  const zeros = Array.from({ length: 8 - groups.flat().length }, () => '0')
  const all = [...groups[0]!, ...zeros, ...groups[1]!]
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex')
}

function timeOf(time: number): asn1.UTCTime {
  const valueDate = new Date(time)
  valueDate.setUTCMilliseconds(0)
  return new asn1.UTCTime({ valueDate })
}

/** A random positive number. */
function serial(): ArrayBuffer {
  const random = randomBytes(16)
  random[0] = (random[0]! & 0x7f) | 0x40
  return bytes(random)
}

function keyIdOf({ publicKey }: Subject): ArrayBuffer {
  return bytes(
    createHash('sha1')
      .update(Buffer.from(exported(publicKey)))
      .digest(),
  )
}

function exported(key: KeyObject): ArrayBuffer {
  return bytes(key.export({ type: 'spki', format: 'der' }))
}

/** The bytes of a buffer, without the rest of its memory. */
function bytes(buffer: Buffer): ArrayBuffer {
  return new Uint8Array(buffer).buffer
}
