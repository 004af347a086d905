/** The stand-in for a credential that a replay does not need. It opens nothing. */
export const HARMLESS = 'vitest-cassette-opens-nothing'

/** The stand-in in the form that clients expect of a field; some clients parse it. */
export function harmlessFor(field: string): string {
  if (field === 'id_token') return harmlessJwt()
  return field === 'client_secret' || field === 'value' ? `ek_${HARMLESS}` : HARMLESS
}

/** A token without a signature that expires in 2099. */
function harmlessJwt(): string {
  const parts = [
    { alg: 'none', typ: 'JWT' },
    { iss: 'vitest-cassette', sub: 'nobody', aud: 'nobody', iat: 0, exp: 4_102_444_799 },
  ]
  const encoded = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  return `${encoded.join('.')}.`
}
