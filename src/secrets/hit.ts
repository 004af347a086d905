/** What looks like a credential, and where it begins. */
export interface Hit {
  at: number
  /** Which rule found it. */
  rule: string
  secret: string
}

/** A secret as it may be shown: enough to recognise it, too little to use it. */
export function maskSecret(secret: string): string {
  const shown = Math.min(6, Math.floor(secret.length / 5))
  return `${secret.slice(0, shown).replaceAll(/\s/g, ' ')}… (${secret.length} characters)`
}
