import { CassetteError } from '../../errors.ts'

/**
 * The error of a program that does not trust the certificate of the gateway.
 *
 * @param why the message of TLS
 */
export function untrustedCertificate(
  origin: string,
  why: string,
  program: string = 'a program',
): CassetteError {
  const { host, hostname } = new URL(origin)
  return new CassetteError(
    'refused',
    `${program}, or what it started, asked ${host}, and did not trust the certificate of vitest-cassette (${why.trim()}): its requests can be neither recorded nor replayed.\n` +
      'Let it read the certificates in the file that SSL_CERT_FILE in its environment names, or give it its base URL by ' +
      `an option or a file of its own: cassette.baseUrl('${origin}/…') needs no certificate; or, if it is no LLM call, add '${hostname}' to the option allowHosts.`,
  )
}

/** The error of a client of Bun that only a proxy leads to the gateway. */
export function untrustedInBun(authority: string): CassetteError {
  const host = authority.replace(/:443$/, '')
  return new CassetteError(
    'refused',
    `\`Bun.fetch\`, what Bun has in the place of a package such as undici, or a worker thread, asked ${host} over TLS: it can be neither recorded nor replayed, and was not sent.\n` +
      `Use the global \`fetch\`, or, if it is no LLM call, add '${host}' to the option allowHosts.`,
  )
}
