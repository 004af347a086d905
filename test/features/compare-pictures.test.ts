import { expect, test } from 'vitest'
import type { CassetteOptions } from '../../src/config/options.ts'
import { explainMiss } from '../explain/as-reported.ts'
import type { Incoming } from '../../src/engine/incoming.ts'
import { openExample, question } from '../engine/example-session.ts'
import { BUTTON, screenshot } from '../engine/screens.ts'
import { ask, cassette, contentOf, show, showAll } from '../pictures/shown-pictures.ts'
import { expectGolden } from '../golden.ts'

const PHASH: CassetteOptions = { images: { match: 'phash' } }
const REGION: CassetteOptions = { images: { match: 'phash', threshold: 6, region: 160 } }

test('pictures compare by their content where nothing is said', async () => {
  const session = openExample(cassette([show(await screenshot())]))
  expect(await ask(session, show(await screenshot({}, 'webp')))).toBe('refuse')
  const { details } = explainMiss(session, session.misses[0]!, false)
  expect(details).toContain("images: { match: 'phash' }")
})

test.for(['phash', 'ahash'] as const)('%s: what looks the same is the same', async (match) => {
  const session = openExample(cassette([show(await screenshot())]), { images: { match } })
  expect(await ask(session, show(await screenshot({ shift: 1 })))).toBe('answer 1')
})

test.for<[string, Parameters<typeof screenshot>[0]]>([
  ['without its button', { button: 'none' }],
  ['with something on it', { banner: true }],
  ['of another size', { width: 641 }],
])('a screen %s is another', async ([, screen]) => {
  const session = openExample(cassette([show(await screenshot())]), PHASH)
  expect(await ask(session, show(await screenshot(screen)))).toBe('refuse')
})

test('beside the pictures everything counts as ever', async () => {
  const [before, after] = [await screenshot(), await screenshot({ shift: 1 })]
  const edits: Incoming[] = [
    show(after, 'Where do I pay'),
    show(after, 'Where do I pay?', 'image/webp'),
    question('', {
      messages: [...contentOf('Where do I pay?', [after]), { role: 'user', content: 'Now' }],
    }),
    showAll([after, after]),
    showAll([]),
    question('', { messages: contentOf('Where do I pay?', [after]), temperature: 0 }),
  ]
  for (const edited of edits) {
    const session = openExample(cassette([show(before)]), PHASH)
    expect(await ask(session, edited), edited.hash).toBe('refuse')
  }
})

test('pictures are compared place by place', async () => {
  const near: CassetteOptions = { images: { match: 'phash', threshold: 4 } }
  const [shop, empty] = [await screenshot(), await screenshot({ button: 'none' })]
  const [shop1, empty1] = [
    await screenshot({ shift: 1 }),
    await screenshot({ button: 'none', shift: 1 }),
  ]
  const asked = async (pictures: string[]): Promise<string> =>
    ask(openExample(cassette([showAll([shop, empty])]), near), showAll(pictures))
  expect(await asked([shop1, empty1])).toBe('answer 1')
  expect(await asked([empty1, shop1])).toBe('refuse')
})

test('the same content goes first, then the nearest, then what was recorded first', async () => {
  const [plain, moved] = [await screenshot(), await screenshot({ shift: 20 })]
  const options: CassetteOptions = { images: { match: 'phash', threshold: 10 } }
  const recorded = cassette([show(plain), show(moved), show(moved)])
  const same = openExample(recorded, options)
  expect(await ask(same, show(moved))).toBe('answer 2')
  const near = openExample(recorded, options)
  const again = await screenshot({ shift: 20 }, 'webp')
  for (const answer of ['answer 2', 'answer 3', 'answer 1', 'refuse'])
    expect(await ask(near, show(again))).toBe(answer)
})

test('requests that are made at once get their answers in their order', async () => {
  const session = openExample(cassette([show(await screenshot()), show(await screenshot())]), PHASH)
  const [slow, quick] = [await screenshot({ shift: 1 }), await screenshot()]
  const answers = [slow, quick].map((picture) => ask(session, show(picture)))
  expect(await Promise.all(answers)).toEqual(['answer 1', 'answer 2'])
})

test('an exchange answers once; with repeats its answer comes again', async () => {
  const moved = show(await screenshot({ shift: 1 }))
  const once = openExample(cassette([show(await screenshot())]), PHASH)
  expect([await ask(once, moved), await ask(once, moved)]).toEqual(['answer 1', 'refuse'])
  expect(explainMiss(once, once.misses[0]!, false).headline).toContain(': 1 of 1 ')
  const twice = openExample(cassette([show(await screenshot())]), { ...PHASH, repeats: 'last' })
  expect([await ask(twice, moved), await ask(twice, moved)]).toEqual(['answer 1', 'answer 1'])
})

test('in mode new what looks the same is replayed, and what does not is recorded', async () => {
  const session = openExample(cassette([show(await screenshot())]), { ...PHASH, mode: 'new' })
  expect(await ask(session, show(await screenshot({ shift: 1 })))).toBe('answer 1')
  expect(await ask(session, show(await screenshot({ banner: true })))).toBe('record')
})

test('values that vary still have to be the same values', async () => {
  const options: CassetteOptions = { ...PHASH, volatile: ['uuid'] }
  const [one, other] = [
    '3f2b8c1e-5d4a-4c6b-9e8f-0a1b2c3d4e5f',
    '9e107d9d-372b-4b8d-a5f1-1c2d3e4f5a6b',
  ]
  const [before, after] = [await screenshot(), await screenshot({ shift: 1 })]
  const session = openExample(cassette([show(before, one), show(before, one)]), options)
  expect(await ask(session, show(after, other), options)).toBe('answer 1')
  expect(await ask(session, show(after, one), options)).toBe('refuse')
})

test('a region makes only what is around the recorded click count', async () => {
  const recorded = cassette([show(await screenshot())], { x: BUTTON.x, y: BUTTON.y })
  const asked = async (screen: Parameters<typeof screenshot>[0]): Promise<string> =>
    ask(openExample(recorded, REGION), show(await screenshot(screen)))
  expect(await asked({ banner: true })).toBe('answer 1')
  expect(await asked({ shift: 1 })).toBe('answer 1')
  expect(await asked({ button: 'none' })).toBe('refuse')
  expect(await asked({ shift: 60 })).toBe('refuse')
  // One hash, as the shapes are the same.
  expect(await asked({ button: '#d0200a' })).toBe('refuse')
  expect(await asked({ width: 641 })).toBe('refuse')
})

test('where the answer names no point the whole picture counts, region or not', async () => {
  const session = openExample(cassette([show(await screenshot())]), REGION)
  expect(await ask(session, show(await screenshot({ banner: true })))).toBe('refuse')
})

test('a miss shows both files, both hashes, the distance and the place', async () => {
  const recorded = cassette([show(await screenshot())], { x: BUTTON.x, y: BUTTON.y })
  const session = openExample(recorded, REGION)
  const asked = await screenshot({ button: 'none' })
  expect(await ask(session, show(asked))).toBe('refuse')
  const { details, pictures } = explainMiss(session, session.misses[0]!, false)
  expect(details).toMatch(
    new RegExp(
      [
        '  picture   __recordings__/blobs/[0-9a-f]{64}\\.png, phash [0-9a-f]{16}',
        '  asked     node_modules/\\.cache/vitest-cassette/asked/[0-9a-f]{64}\\.png, phash [0-9a-f]{16}',
        '  distance  \\d+ of 64 bits in the square of 160 pixels around 480, 400',
      ].join('\\n'),
    ),
  )
  expect(pictures).toHaveLength(1)
  expect(Buffer.from(pictures![0]!.bytes).toString('base64')).toBe(asked)
  expect(details).toContain(pictures![0]!.name)
})

test('the diff of a miss leaves pictures out that look the same', async () => {
  const session = openExample(cassette([show(await screenshot())]), PHASH)
  expect(await ask(session, show(await screenshot({ shift: 1 }), 'Where do I sit?'))).toBe('refuse')
  const { headline, details, pictures } = explainMiss(session, session.misses[0]!, false)
  expect(headline).toMatch(/part 1: text edited \("pay\?" → "sit\?"\)$/)
  expect(details).toContain('+ Where do I sit?')
  expect(details).toContain('1 change away')
  expect(details).not.toContain('sha256')
  expect(pictures).toBeUndefined()
})

test('where a text and a picture are others, both are shown', async () => {
  const session = openExample(cassette([show(await screenshot())]), PHASH)
  const asked = show(await screenshot({ banner: true }), 'Where do I sit?')
  expect(await ask(session, asked)).toBe('refuse')
  const { details } = explainMiss(session, session.misses[0]!, false)
  expect(details).toContain('+ Where do I sit?')
  expect(details).toMatch(/distance +\d+ of 64 bits, /)
})

test('a picture that cannot be read is only the same as itself, and the miss says why', async () => {
  const broken = (await screenshot()).slice(0, 1_600)
  const recorded = cassette([show(await screenshot()), show(broken)])
  const session = openExample(recorded, PHASH)
  expect(await ask(session, show(broken))).toBe('answer 2')
  expect(await ask(session, show((await screenshot()).slice(0, 1_604)))).toBe('refuse')
  const { details } = explainMiss(session, session.misses[0]!, false)
  const [distance] = /distance {2}none: [^:]*/.exec(details)!
  await expectGolden(distance, 'no-distance')
})
