import { PROVIDERS } from '../../providers/catalogue.ts'

const MAKERS = Object.values(PROVIDERS).flatMap(({ makers = [] }) => makers)

/** What stands before the name of a model: the place of a cloud or gateway, its region, its maker. */
const PREFIXES = [
  /^(?:models|publishers\/[^/]+\/models)\//,
  /^[a-z0-9_.-]+\//i,
  /^(?:us|us-gov|eu|apac|global|jp|au|ca|in)\./,
  new RegExp(`^(?:${MAKERS.join('|')})\\.`),
]

/** What stands behind it: a variant, a version, a date. */
const SUFFIXES = [
  /:\w[\w.-]*$/,
  /-v\d+(?::\d+)?$/,
  /@\d{8}$/,
  /-\d{4}-\d{2}-\d{2}$/,
  /-\d{8}$/,
  /-latest$/,
]

/** The names under which a price of a model can stand, from its whole name to the one with the least around it. */
export function* namesOfModel(model: string): Generator<string> {
  for (const name of without(model, SUFFIXES)) yield* without(name, PREFIXES)
}

function* without(name: string, parts: readonly RegExp[]): Generator<string> {
  yield name
  let rest = name
  for (const part of parts) {
    const shorter = rest.replace(part, '')
    if (shorter !== rest) yield (rest = shorter)
  }
}
