import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startChromium } from '../../examples/screen-agent/test/chromium.ts'
import { needs } from '../needs.ts'
import { cassetteOf, ReportProject, sourceOf } from '../tools/page/report-project.ts'
import {
  HOSTILE,
  LONG,
  MARKUP,
  MOONS,
  openReport,
  SCREENS,
  SHELL,
  writeExample,
} from './report-pages.ts'

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

  test('what a cassette says is text, whatever it looks like', async () => {
    await using opened = await openReport(browser, project, HOSTILE)
    const { page, loaded, problems } = opened
    await page.keyboard.press('x')
    const said = await page.locator('main').innerText()
    expect(said).toContain(`${MARKUP} <U+202E>gpj.exe <U+001B>[31mred`)
    expect(
      await page
        .locator('.entry .text')
        .first()
        .evaluate((one) => one.children.length),
    ).toBe(0)
    expect(await page.locator('img').count()).toBe(0)
    expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false)
    expect(loaded.filter((file) => !/^(?:data|blobs)\/[\w.-]+$/.test(file))).toEqual(
      SHELL.slice(0, 3),
    )
    expect(problems).toEqual([])
  })

  test.each([
    ['markup in an element', "document.body.innerHTML = '<b>b</b>'"],
    [
      'a script from elsewhere',
      "document.createElement('script').src = 'https://example.com/a.js'",
    ],
  ])('the page may not even by mistake read %s', async (_, attempt) => {
    await using opened = await openReport(browser, project)
    await expect(opened.page.evaluate(attempt)).rejects.toThrow(/TrustedScript|TrustedHTML/)
  })

  test.each([undefined, MOONS, SCREENS, HOSTILE, LONG])(
    'on a phone nothing is wider than the screen: %s',
    async (path) => {
      const viewport = { width: 390, height: 844 }
      await using opened = await openReport(browser, project, path, { viewport })
      const { page } = opened
      expect(await tooWide(page)).toEqual([])
      await page.keyboard.press('x')
      expect(await tooWide(page)).toEqual([])
      const widths = (): Promise<number[]> =>
        page.evaluate(() =>
          [document.documentElement, document.querySelector('main')!].map((one) => one.scrollWidth),
        )
      expect(await widths()).toEqual([390, 390])
      await page.getByRole('button', { name: 'Tests' }).click()
      await page.locator('.test').first().waitFor()
      expect(await widths()).toEqual([390, 390])
      await page.locator('.test').first().click()
      await page.getByRole('heading', { name: 'counts moons' }).waitFor()
      expect(await page.locator('aside').isVisible()).toBe(false)
    },
  )

  test('of 5,000 cassettes, the index is loaded, and as much of the list is there as is seen', async () => {
    using large = new ReportProject()
    const cassette = cassetteOf('a.test.ts > a')
    await large.write(
      Array.from({ length: 5_000 }, (_, at) =>
        sourceOf(`${at % 250}.test.ts/t-${at}.json`, {
          ...cassette,
          conversationId: `${at % 250}.test.ts > asks question ${at}`,
        }),
      ),
    )
    await using opened = await openReport(browser, large)
    const { page, loaded, problems } = opened
    expect(await page.locator('.found').textContent()).toBe('5,000 tests')
    expect(loaded).toEqual(SHELL)
    expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(1_200)
    await page.locator('.tests').evaluate((list) => list.scrollTo(0, list.scrollHeight))
    await page.getByText('asks question 4999', { exact: true }).first().click()
    await page.getByRole('heading', { name: 'asks question 4999' }).waitFor()
    expect(loaded).toHaveLength(SHELL.length + 1)
    expect(await page.locator('.test').count()).toBeLessThan(60)
    expect(problems).toEqual([])
  })
})

/** What reaches over the edge of the screen, but for what scrolls in a box of its own or is cut with an ellipsis. */
function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('main *')]
      .filter((one) => !one.closest('.scrolled, summary > *'))
      .filter((one) => one.getBoundingClientRect().right > innerWidth)
      .map((one) => `${one.tagName} ${one.className}`),
  )
}
