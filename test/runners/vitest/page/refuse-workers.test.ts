import { expect, test, vi } from 'vitest'
import { refuseWorkers } from '../../../../src/runners/vitest/page/refuse-workers.ts'
import type { PageWindow } from '../../../../src/runners/vitest/page/redirect-calls.ts'
import { expectGolden } from '../../../golden.ts'

class FakeWorker {}

function pageWith(): PageWindow {
  const document = { baseURI: 'http://localhost:63315/page' }
  return { Worker: FakeWorker, SharedWorker: FakeWorker, document } as never
}

test.for(['Worker', 'SharedWorker'] as const)('refuses a %s that nobody sees', async (name) => {
  const page = pageWith()
  const refuse = vi.fn<(problem: string) => void>()
  refuseWorkers(page, [name], () => [], refuse)
  for (const url of ['worker.js', 'blob:http://localhost:63315/6d2c'])
    expect(() => new page[name](url)).toThrow(TypeError)
  expect(refuse).toHaveBeenCalledTimes(2)
  const [problem] = refuse.mock.calls[0]!
  expect(problem).toContain(` ${name},`)
  expect(problem).toMatch(/'localhost:63315' .* allowHosts/)
  await expectGolden(problem, name)
})

test('starts those that are seen, and those of allowed hosts', () => {
  const page = pageWith()
  const refuse = vi.fn<(problem: string) => void>()
  refuseWorkers(page, ['Worker'], () => ['localhost:63315'], refuse)
  expect(new page.SharedWorker('worker.js')).toBeInstanceOf(FakeWorker)
  expect(new page.Worker('worker.js')).toBeInstanceOf(FakeWorker)
  expect(refuse).not.toHaveBeenCalled()
})
