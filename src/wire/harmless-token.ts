/** What stands for a credential that nobody needs in replay. It opens nothing. */
export const HARMLESS = 'vitest-cassette-opens-nothing'

/** The same in the shape that clients expect of a field, some of which look into it. */
export function harmlessFor(field: string): string {
  if (field === 'id_token') return harmlessJwt()
  return field === 'client_secret' || field === 'value' ? `ek_${HARMLESS}` : HARMLESS
}

/** Nobody signed it, and it ends in 2099. */
function harmlessJwt(): string {
  const parts = [
    { alg: 'none', typ: 'JWT' },
    { iss: 'vitest-cassette', sub: 'nobody', aud: 'nobody', iat: 0, exp: 4_102_444_799 },
  ]
  const encoded = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  return `${encoded.join('.')}.`
}
