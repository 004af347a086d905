import { readFileSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useCassette, type Speaker } from 'vitest-cassette'
import { Screen, SIZE } from '../src/screen.ts'
import { ScreenAgent } from '../src/screen-agent.ts'
import { compareTrajectories, type Step } from '../src/trajectory.ts'
import { CHROMIUM, startChromium } from './chromium.ts'
import { serveShop } from './serve-shop.ts'

if (!CHROMIUM) console.log('Skipped: there is no Chromium. On Debian: apt-get install chromium')

let browser: Browser
let shop: { server: Server; url: string }

beforeAll(async () => {
  if (!CHROMIUM) return
  shop = await serveShop()
  browser = await startChromium()
})

afterAll(async () => {
  await browser?.close()
  shop?.server.close()
})

test.skipIf(!CHROMIUM)('it orders a lamp', async ({ cassette }) => {
  const page = await openShop()
  const agent = new ScreenAgent(new Screen(page))
  const { answer, steps } = await agent.do('Order a lamp. The name is Ada.')

  expect(answer).toBe('The lamp is ordered.')
  expect(cassette).toHaveCalledTool('computer', { action: 'type', text: 'Ada' })
  expect(await page.getByRole('heading').textContent()).toBe('Thank you, Ada')

  // Pictures are only compared around a click, so this compares the rest of each page with the recording.
  const file = new URL('it-orders-a-lamp.trajectory.json', import.meta.url)
  if (cassette.exchanges.some(({ source }) => source === 'recorded'))
    writeFileSync(file, `${JSON.stringify(steps, undefined, 2)}\n`)
  const recorded: Step[] = JSON.parse(readFileSync(file, 'utf8'))
  expect(compareTrajectories(recorded, steps)).toBe(`faithful: ${steps.length} steps`)
})

test.skipIf(!CHROMIUM)('it goes step by step, and stops before it orders', async ({ cassette }) => {
  // Leaves three steps to the cassette, and fails the next one.
  const executor: Speaker = {
    name: 'executor',
    canHandle: () => true,
    handleStep: ({ conversation }) =>
      conversation.length < 3
        ? { status: 'switch_speaker', nextSpeaker: 'cassette' }
        : { status: 'failed', reason: 'three steps were agreed on' },
  }
  useCassette({ speakers: [executor] })
  const agent = new ScreenAgent(new Screen(await openShop()), {
    delayMs: 40,
    stopWhen: ({ action }) => action.action === 'type',
  })

  const began = performance.now()
  const { steps } = await agent.do('Order a lamp. The name is Ada.')

  expect(performance.now() - began).toBeGreaterThanOrEqual(3 * 40 - 5)
  expect(steps.map(({ action }) => action.action)).toEqual(['left_click', 'left_click', 'type'])
  expect(steps.at(-1)).toMatchObject({ action: { text: 'Ada' } })
  expect(steps.at(-1)!.reached.join('\n')).toContain('button "Order"')
  // The agent performed every call before it stopped.
  const calls = cassette.exchanges.flatMap(({ completion }) => completion.toolCalls)
  expect(calls).toHaveLength(steps.length)
  // The executor leaves each step to the cassette, or to the model while it is recorded.
  const answered = cassette.exchanges.some(({ source }) => source === 'recorded')
    ? 'live'
    : 'cassette'
  expect(cassette.exchanges.map(({ speaker }) => speaker)).toEqual(Array(3).fill(answered))
})

async function openShop(): Promise<Page> {
  const page = await browser.newPage({ viewport: SIZE, deviceScaleFactor: 1 })
  await page.goto(shop.url)
  await page.evaluate(() => document.fonts.ready)
  return page
}
