import { expect, test } from 'vitest'
import { findSecrets } from '../../src/secrets/find-secrets.ts'
import { readingsOf, scanText } from '../../src/secrets/find/scan-text.ts'
import { spelledIn } from '../secrets/spelled-in.ts'
import { credentials, credentialsOf, pastedTexts } from './credentials.ts'
import { isAll } from '../effort.ts'
import { expectDocumented, printTable } from '../docs-section.ts'
import { KEY_PLACES, textWith } from './key-places.ts'
import { nearMisses, nearMissesOf } from './near-misses.ts'
import { exchangesOf, PASTED, PLACES, scanAll, store, storeAll, type Asked } from './places.ts'

test('what is in the environment is replaced everywhere', () => {
  const left: string[] = []
  for (const { issuer, variable, value } of credentials) {
    const asked = Object.values(PLACES).map((place) => place(variable, value))
    const stored = JSON.stringify(store(asked, { [variable]: value }))
    if (spelledIn(stored, value).length > 0) left.push(issuer)
  }
  expect(credentials).toHaveLength(65)
  expect(left).toEqual([])
})

test('a key of the environment is replaced at every place, or refused, and the documentation says where not', async () => {
  const [left, refused] = [new Set<string>(), new Set<string>()]
  const random = credentials.filter(({ issuer }) =>
    /^(?:OpenAI project|Anthropic|Groq|Google)$/.test(issuer),
  )
  for (const [place, at] of KEY_PLACES)
    for (const { value } of random) {
      const asked = [at(textWith(value))]
      const [kept, untouched] = [value, 'none'].map((known) => store(asked, { A_KEY: known }))
      const stored = JSON.stringify(kept)
      if (
        stored !== JSON.stringify(untouched) &&
        spelledIn(stored, value.slice(5, 25)).length === 0
      )
        continue
      const { secrets } = await findSecrets(kept!, exchangesOf(kept!), { A_KEY: value })
      if (secrets.length > 0) refused.add(place)
      else left.add(place)
    }
  for (const place of left) refused.delete(place)
  const covered = KEY_PLACES.length - left.size
  await expectDocumented(
    'security.md',
    'places',
    `Of ${KEY_PLACES.length} places and spellings of a known key that looks random, ${covered} are covered: ${covered - refused.size} are replaced, and ${refused.size} refused. Refused: ${[...refused].join('; ')}. Left: ${[...left].join('; ')}.`,
  )
  expect(left.size).toBeLessThan(25)
})

test('what is not is found nearly everywhere, and the documentation says where not', async () => {
  const missed: string[] = []
  const rows = [['place', 'credentials', 'found']]
  const tryPlace = async (place: string, kinds: Array<[kind: string, asked: Asked]>) => {
    const found = await scanAll(kinds.map(([, asked]) => asked))
    rows.push([place, String(kinds.length), String(found.size)])
    missed.push(...kinds.flatMap(([kind], index) => (found.has(index) ? [] : `${kind} (${place})`)))
  }
  // A token that is signed is replaced wherever it stands.
  const left = credentials.filter(({ issuer }) => issuer !== 'JWT')
  for (const [place, at] of Object.entries(PLACES))
    await tryPlace(
      place,
      left.map(({ issuer, variable, value }) => [issuer, at(variable, value)]),
    )
  for (const [place, at] of Object.entries(PASTED))
    await tryPlace(
      `${place}, as it stands`,
      pastedTexts('').map(([kind, text]) => [kind, at(text)]),
    )
  const table = printTable(rows)
  console.log(`${table}\nmissed: ${missed.join(', ')}`)

  expect(pastedTexts('').length + credentials.length).toBeGreaterThan(240)
  // Keys that are only letters and digits are nothing without their names.
  const nameless =
    'Mistral Cohere Azure_OpenAI Together_hex AWS_secret AI21 Twilio_token UUID Password'
  expect(missed).toEqual(
    nameless.split(' ').map((name) => `${name.replace('_', ' ')} (without its name)`),
  )
  await expectDocumented('security.md', 'credentials', `${table}\n\nMissed: ${missed.join(', ')}.`)
})

test('what is found does not depend on which characters chance has chosen', () => {
  const missed: string[] = []
  for (const seed of Array.from({ length: 12 }, (_, index) => `seed ${index}`)) {
    const named = credentialsOf(seed).map(
      ({ issuer, variable, value }) =>
        [issuer, `Deploy with ${variable}=${value} please.`] as const,
    )
    const kinds = [...named, ...pastedTexts(seed)]
    const left = kinds.filter(
      ([, text]) =>
        !readingsOf(`Is ${text} valid?`).some((reading) => scanText(reading).length > 0),
    )
    missed.push(...left.map(([kind]) => `${kind} (${seed})`))
  }
  expect(missed).toEqual([])
})

test('what comes near to a credential is neither replaced nor found', async () => {
  const env = Object.fromEntries(
    credentials.map(({ value }, index) => [`KEY_${index}_TOKEN`, value] as const),
  )
  const everywhere = Object.values(nearMisses).flatMap((text) => [
    ...Object.values(PLACES).map((place) => place('signature', text)),
    ...Object.values(PASTED).map((place) => place(text)),
  ])
  const asked = everywhere.filter((_, index) => isAll || index % 3 === 0)
  expect(storeAll(asked, env)).toEqual(storeAll(asked, {}))
  const found = await scanAll(asked)
  expect([...found].map((index) => asked[index])).toEqual([])
  expect(Object.keys(nearMisses).length).toBeGreaterThan(55)
})

test('what comes near to a credential is not found with other characters either', () => {
  for (const seed of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
    const texts = Object.values(nearMissesOf(seed)).flatMap((text) => readingsOf(`It is ${text}.`))
    const alarms = texts.flatMap((text) => scanText(text).map(({ secret }) => [secret, text]))
    expect(alarms).toEqual([])
  }
})
