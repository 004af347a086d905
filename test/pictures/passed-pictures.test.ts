import pc from 'picocolors'
import { expect, test } from 'vitest'
import type { ImageOptions } from '../../src/config/options.ts'
import { parseCachingSettings } from '../../src/config/parse-options.ts'
import { countRequests } from '../../src/attempt/count-requests.ts'
import type { PassedPictures } from '../../src/engine/rare-cases.ts'
import type { Session } from '../../src/engine/session.ts'
import { renderSummary } from '../../src/runners/vitest/reporters/run-summary.ts'
import { openExample } from '../engine/example-session.ts'
import { BUTTON, screenshot } from '../engine/screens.ts'
import { expectGolden } from '../golden.ts'
import { ask, cassette, show, showAll } from './shown-pictures.ts'

const passedIn = (session: Session): PassedPictures | undefined =>
  countRequests(session, true).pictures

/** What the summary says of pictures. */
function lineOf(session: Session): string {
  const summary = renderSummary([countRequests(session, true)], pc.createColors(false))
  return /^ *Pictures.*/m.exec(summary)?.[0] ?? ''
}

async function open(images: ImageOptions): Promise<Session> {
  const plain = await screenshot()
  const recorded = cassette([show(plain), showAll([plain, plain])], { ...BUTTON })
  return openExample(recorded, { images })
}

test('ignore: a changed picture passes, beside it everything counts, and the summary says so', async () => {
  const session = await open({ match: 'ignore' })
  const [other, broken] = [await screenshot({ width: 99 }), (await screenshot()).slice(0, 1_600)]
  expect(await ask(session, show(other))).toBe('answer 1')
  expect(await ask(session, showAll([other, broken]))).toBe('answer 2')
  expect(passedIn(session)).toMatchObject({ alike: 0, ignored: 2 })
  await expectGolden(lineOf(session), 'ignored')
  for (const edited of [
    show(other, 'Where do I sit?'),
    showAll([other, other, other]),
    showAll([]),
    show(other, undefined, 'image/webp'),
  ])
    expect(await ask(await open({ match: 'ignore' }), edited)).toBe('refuse')
})

test('what looks alike is counted once, with how far it is apart', async () => {
  const session = await open({ match: 'phash', threshold: 2, region: 160 })
  const moved = await screenshot({ shift: 1 })
  expect(await ask(session, show(moved))).toBe('answer 1')
  expect(await ask(session, showAll([moved, await screenshot()]))).toBe('answer 2')
  const { alike, ignored, farthest } = passedIn(session)!
  expect([alike, ignored]).toEqual([1, 0])
  expect(lineOf(session)).toMatch(new RegExp(` 1 .* ${farthest} .* 64 `))
  await expectGolden(lineOf(session), 'alike', { [`, ${farthest} `]: ', <bits> ' })
})

test('pictures that are the recorded ones are not spoken of, nor those that missed', async () => {
  const session = await open({ match: 'phash', threshold: 2, region: 160 })
  expect(await ask(session, show(await screenshot()))).toBe('answer 1')
  expect(await ask(session, showAll([await screenshot({ button: 'none' })]))).toBe('refuse')
  expect(passedIn(session)).toBeUndefined()
  expect(lineOf(session)).toBe('')
})

test('at the greatest threshold only the size and the colours tell pictures apart', async () => {
  const wide: ImageOptions = { match: 'phash', threshold: 64 }
  expect(await ask(await open(wide), show(await screenshot({ shift: 60 })))).toBe('answer 1')
  expect(await ask(await open(wide), show(await screenshot({ width: 641 })))).toBe('refuse')
  expect(await ask(await open(wide), show(await screenshot({ banner: true })))).toBe('refuse')
})

test.for([1, 2, 15])('a region of %i pixels is looked at', async (region) => {
  const near: ImageOptions = { match: 'ahash', region }
  expect(await ask(await open(near), show(await screenshot({ banner: true })))).toBe('answer 1')
  expect(await ask(await open(near), show(await screenshot({ shift: 60 })))).toBe('refuse')
})

test("the defaults of a cache's visual verification pass a screen that moved, and none without its button", async () => {
  const { images } = parseCachingSettings({})
  expect(await ask(await open(images!), show(await screenshot({ shift: 6 })))).toBe('answer 1')
  expect(await ask(await open(images!), show(await screenshot({ button: 'none' })))).toBe('refuse')
  expect(await ask(await open(images!), show(await screenshot({ button: '#d0200a' })))).toBe(
    'refuse',
  )
})
