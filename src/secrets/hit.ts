/** What looks like a credential, and where it begins. */
export interface Hit {
  at: number
  /** Which rule found it. */
  rule: string
  secret: string
}
