/** A text that looks like a credential, and its position. */
export interface Hit {
  at: number
  /** The rule that found it. */
  rule: string
  secret: string
}

/** A secret as it may be shown: enough to recognise it, too little to use it. */
export function maskSecret(secret: string): string {
  const shown = Math.min(6, Math.floor(secret.length / 5))
  return `${secret.slice(0, shown).replaceAll(/\s/g, ' ')}… (${secret.length} characters)`
}
