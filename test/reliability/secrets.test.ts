import { expect, test } from 'vitest'
import { findSecrets } from '../../src/secrets/find-secrets.ts'
import { spelledIn } from '../secrets/spelled-in.ts'
import { credentials, nearMisses, type Credential } from './credentials.ts'
import { expectDocumented, printTable } from '../docs-section.ts'
import { PLACES, store } from './places.ts'

type Outcome = 'replaced' | 'found' | 'missed'

/** What becomes of a credential in each place. */
async function tryPlaces(
  { variable, value }: Credential,
  env: Record<string, string>,
): Promise<Outcome[]> {
  return Promise.all(
    Object.values(PLACES).map(async (place) => {
      const stored = store(place(variable, value), env)
      if (spelledIn(JSON.stringify(stored), value).length === 0) return 'replaced'
      return (await findSecrets(stored)).length > 0 ? 'found' : 'missed'
    }),
  )
}

test('what is in the environment is replaced everywhere', async () => {
  const left: string[] = []
  for (const credential of credentials) {
    const outcomes = await tryPlaces(credential, { [credential.variable]: credential.value })
    if (outcomes.some((outcome) => outcome !== 'replaced')) left.push(credential.issuer)
  }
  expect(credentials).toHaveLength(65)
  expect(left).toEqual([])
})

test('what is not is found nearly everywhere, and the documentation says where not', async () => {
  const signs = { replaced: 'replaced', found: 'found', missed: '–' }
  const rows: Array<[issuer: string, ...outcomes: Outcome[]]> = []
  for (const credential of credentials)
    rows.push([credential.issuer, ...(await tryPlaces(credential, {}))])

  const places = Object.keys(PLACES)
  const counts = places.map(
    (_, column) => rows.filter((row) => row[column + 1] !== 'missed').length,
  )
  console.log(places.map((place, column) => `${place}: ${counts[column]}`).join(', '), 'of 65')
  for (const [column, place] of places.entries())
    expect(counts[column], place).toBeGreaterThanOrEqual(place === 'without its name' ? 56 : 60)

  const table = printTable([
    ['65 credentials', ...places],
    ...rows.map(([issuer, ...outcomes]) => [issuer, ...outcomes.map((outcome) => signs[outcome])]),
    ['**all**', ...counts.map(String)],
  ])
  await expectDocumented('security.md', 'credentials', table)
})

test('what comes near to a credential is neither replaced nor found', async () => {
  const env = Object.fromEntries(
    credentials.map(({ value }, index) => [`KEY_${index}_TOKEN`, value] as const),
  )
  const placed = Object.values(nearMisses).flatMap((text) =>
    Object.values(PLACES).map((place) => place('signature', text)),
  )
  const stored = placed.map((asked) => store(asked, env))
  expect(stored).toEqual(placed.map((asked) => store(asked, {})))
  for (const one of stored) expect(await findSecrets(one)).toEqual([])
  expect(Object.keys(nearMisses)).toHaveLength(19)
})
