import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startChromium } from '../../examples/screen-agent/test/chromium.ts'
import { needs } from '../needs.ts'
import type { ReportProject } from '../tools/page/report-project.ts'
import { LONG, MOONS, openReport, SCREENS, SHELL, writeExample } from './report-pages.ts'

describe('the page of a report', needs('chromium'), () => {
  let browser: Browser
  let project: ReportProject

  beforeAll(async () => {
    browser = await startChromium()
    project = await writeExample()
  })

  afterAll(async () => {
    await browser?.close()
    project?.[Symbol.dispose]()
  })

  test('it shows failures first, with their diff, and loads no conversation', async () => {
    await using opened = await openReport(browser, project)
    const { page, loaded, problems } = opened
    const failure = page.locator('.failure').first()
    await failure.locator('.diff .added').waitFor()
    expect(await page.locator('h1').textContent()).toBe('2 tests failed')
    expect(await failure.locator('.removed').textContent()).toBe('    - Be [-kind-].\n')
    expect(loaded.filter((file) => !file.startsWith('data/failure-'))).toEqual(SHELL)
    await failure.getByRole('link', { name: 'a.test.ts > counts moons' }).click()
    await page.getByRole('heading', { name: 'counts moons' }).waitFor()
    expect(await page.locator('.failure .diff').count()).toBe(1)
    expect(problems).toEqual([])
  })

  test('a test without a cassette has a page for its failure', async () => {
    await using opened = await openReport(browser, project, '__recordings__/c.test.ts/no-1.json')
    await opened.page.locator('.failure .diff').waitFor()
    expect(await opened.page.locator('h1').textContent()).toBe('No cassette')
  })

  test('the search finds names at once, and texts when they are loaded', async () => {
    await using opened = await openReport(browser, project)
    const { page, loaded } = opened
    await page.keyboard.press('/')
    await page.keyboard.insertText('needle')
    await page.locator('.test .excerpt mark').waitFor()
    expect(await page.locator('.test .name').allTextContents()).toEqual(['failedcounts moons'])
    expect(await page.locator('.found').textContent()).toBe('1 of 4 tests')
    expect(loaded.filter((file) => file.startsWith('data/texts'))).toEqual(['data/texts-0.js'])
    await page.getByRole('searchbox').fill('screens gpt-5')
    await page.getByRole('option', { name: 'looks at screens' }).waitFor()
    expect(await page.locator('.test').count()).toBe(1)
    await page.getByRole('searchbox').fill('no such words')
    await expect.poll(() => page.locator('.found').textContent()).toBe('0 of 4 tests')
  })

  test('a link leads to an exchange', async () => {
    await using opened = await openReport(browser, project, MOONS, { exchange: 'exchange-3' })
    const { page } = opened
    const target = page.locator('.exchange.target')
    await target.waitFor()
    expect(await target.getAttribute('data-exchange')).toBe('exchange-3')
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('exchange-line')
    expect(await page.title()).toBe('counts moons · Cassettes')
    expect(await page.locator('.test.open .name').textContent()).toBe('failedcounts moons')
  })

  test('all of it works by keyboard', async () => {
    await using opened = await openReport(browser, project)
    const { page } = opened
    await page.keyboard.press('/')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'looks at screens' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/^exchange-/)
    await page.keyboard.press('x')
    expect(await page.locator('.call details[open]').count()).toBe(2)
    await page.keyboard.press('n')
    await page.getByRole('heading', { name: '<img' }).waitFor()
    await page.keyboard.press('p')
    await page.getByRole('heading', { name: 'looks at screens' }).waitFor()
    await page.keyboard.press('?')
    await page.locator('dialog.keys').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('dialog').count()).toBe(0)
    await page.keyboard.press('o')
    await page.getByRole('heading', { name: 'By model' }).waitFor()
  })

  test('whatever has the focus shows it', async () => {
    await using opened = await openReport(browser, project, MOONS)
    const { page } = opened
    for (let step = 0; step < 12; step++) {
      await page.keyboard.press('Tab')
      const outline = await page.evaluate(
        () => getComputedStyle(document.activeElement!).outlineStyle,
      )
      expect(outline).not.toBe('none')
    }
  })

  test('a picture that changed stands beside the one before, and both are enlarged', async () => {
    await using opened = await openReport(browser, project, SCREENS)
    const { page, problems } = opened
    const pair = page.locator('.pictures.pair img')
    await pair.last().scrollIntoViewIfNeeded()
    await expect
      .poll(() =>
        pair.evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth)),
      )
      .toEqual([640, 640])
    const [before, now] = await Promise.all([pair.first().boundingBox(), pair.last().boundingBox()])
    expect(now!.y).toBe(before!.y)
    expect(now!.x).toBeGreaterThan(before!.x + before!.width)
    await pair.last().click()
    const shown = page.locator('dialog .stage')
    await page.locator('dialog [aria-pressed=false]').click()
    expect(await shown.getAttribute('class')).toBe('stage difference')
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('dialog').count()).toBe(0)
    expect(problems).toEqual([])
  })

  test('a stream is loaded when it is opened, and shown as it came', async () => {
    await using opened = await openReport(browser, project, MOONS)
    const { page, loaded } = opened
    const streams = (): string[] => loaded.filter((file) => file.endsWith('-streams.js'))
    expect(streams()).toEqual([])
    await page
      .getByRole('button', { name: /^Stream · \d+ events$/ })
      .last()
      .click()
    const events = page.locator('.events code')
    await events.first().waitFor()
    expect((await events.allTextContents()).at(-1)).toBe('[DONE]')
    expect(await events.first().textContent()).toContain('"choices"')
    expect(streams()).toHaveLength(1)
  })

  test('a long text is shown in part, and whole when asked for', async () => {
    await using opened = await openReport(browser, project, LONG)
    const { page } = opened
    expect(await page.locator('main').textContent()).not.toContain('Line 899')
    await page.getByRole('button', { name: 'Show all 900 lines' }).click()
    expect(await page.locator('main').textContent()).toContain('Line 899')
  })

  test('it is light or dark as the system says, or as the reader does', async () => {
    const background = 'getComputedStyle(document.documentElement).backgroundColor'
    await using opened = await openReport(browser, project, undefined, { colorScheme: 'dark' })
    const { page } = opened
    const dark = await page.evaluate(background)
    await page.getByRole('button', { name: 'Colours: auto' }).click()
    const light = await page.evaluate(background)
    expect([dark, light]).toEqual(['rgb(19, 20, 23)', 'rgb(255, 255, 255)'])
    await page.reload()
    await page.locator('h1').waitFor()
    expect(await page.evaluate(background)).toBe(light)
  })
})
