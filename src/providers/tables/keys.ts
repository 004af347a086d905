import { PROVIDERS } from '../catalogue.ts'
import type { Account } from '../provider.ts'

// What ships has this table as data, and no provider: tooling/provider-tables.ts prints it into this module.

/** The accounts of providers, by the variables of their keys. */
export const ACCOUNTS: ReadonlyMap<string, Account> = new Map(
  Object.values(PROVIDERS)
    .flatMap(({ keys = [], accounts = [{ lend: keys }] }): readonly Account[] => accounts)
    .flatMap((account) => account.lend.map((name) => [name, account] as const)),
)
