import { shared } from '../real/shared.ts'

/** Decides whether a key is lent now. */
export interface Lender {
  /** Whether keys are lent when this begins: one that is empty then counts as unset. */
  beginsOpen: boolean
  /** Whether keys are lent at all. */
  isOpen(): boolean
  /** Whether the test that runs has a recording, and so asks a provider. */
  isRecorded(): boolean
}

/** What has an environment: this process, or what a runner gives its tests in its place. */
export interface HasEnvironment {
  env: NodeJS.ProcessEnv
}

/** An environment in which keys are lent. */
export interface Borrower {
  /** The variables that are really set. */
  env: NodeJS.ProcessEnv
  /** The keys that tests have deleted. */
  refused: Set<PropertyKey>
  /** The variables set in the environment that this one replaced; absent for the environment of the process. */
  original?: readonly string[]
}

/** What is lent now. */
export interface Lending {
  lender?: Lender
  /** The environment of the process. */
  own?: Borrower
  /** Puts the environment back as it was. */
  end?: () => void
}

/** Shared by all copies of this package. */
export const lending: Lending = shared('lent-keys')
