import { expect, test } from 'vitest'
import { startChromium } from '../../examples/screen-agent/test/chromium.ts'
import { cassetteOfTrace } from '../../src/tools/import/traces/trace-cassette.ts'
import { needs } from '../needs.ts'
import { chatOf, otlpOf, traceOf, type WrittenSpan } from '../tools/import/traces/spans.ts'
import { ReportProject, sourceOf } from '../tools/page/report-project.ts'
import { openReport } from './report-pages.ts'

const agent = (id: string): WrittenSpan => ({
  id,
  attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': id },
})

test(
  'agents of a trace are threads of a page, which says what is not compared',
  needs('chromium'),
  async () => {
    const trace = traceOf(
      otlpOf([
        agent('planner'),
        agent('writer'),
        { id: 'a', parent: 'planner', attributes: chatOf('Plan a tale', 'Of a lamp.') },
        { id: 'b', parent: 'writer', attributes: chatOf('Write a tale', 'Once.') },
      ]),
    )
    const cassette = cassetteOfTrace(trace, 'a.test.ts > tells', { now: new Date(0) })
    using project = new ReportProject()
    await project.write([sourceOf('a.test.ts/tells-1.json', cassette)])
    const browser = await startChromium()
    try {
      await using opened = await openReport(
        browser,
        project,
        '__recordings__/a.test.ts/tells-1.json',
      )
      const threads = opened.page.locator('section.thread')
      await threads.first().waitFor()
      const texts = await threads.allInnerTexts()
      expect(texts).toHaveLength(2)
      expect(texts[0]).toMatch(
        /Plan a tale[^]*Of a lamp\.[^]*Not compared, .*: instructions, .*model/,
      )
      expect(texts[1]).toMatch(/Write a tale[^]*Once\.[^]*Not compared, .*: instructions, .*model/)
      expect(opened.problems).toEqual([])
    } finally {
      await browser.close()
    }
  },
)
