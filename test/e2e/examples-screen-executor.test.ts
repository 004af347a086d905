import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { needs } from '../needs.ts'
import { VitestProject, type Run } from './vitest-project.ts'

const example = fileURLToPath(new URL('../../examples/screen-agent', import.meta.url))
const page = 'shop/index.html'
const config = 'vitest.config.ts'
const IMAGES = "{ images: { match: 'phash', threshold: 2, region: 160 } }"

describe('the screen agent executes a recording', needs('chromium'), () => {
  let project: VitestProject
  let runs: Record<'steps' | 'more' | 'fewer' | 'defaults' | 'skipped', Run>

  beforeAll(async () => {
    project = new VitestProject(example)
    const file = 'test/screen-agent.test.ts'
    const steps = await project.run(['-t', 'step by step'])
    const more = await project.runEdited(file, "action.action === 'type'", 'false', [
      '-t',
      'step by step',
    ])
    // It ends well, but for what nobody asked.
    const text = project.read(file)
    project.edit(
      file,
      '  expect(performance',
      '  if (steps.length === 1) return\n  expect(performance',
    )
    const fewer = await project.runEdited(file, "action.action === 'type'", 'true', [
      '-t',
      'step by step',
    ])
    project.write(file, text)
    project.edit(config, 'import { cassettes }', 'import { cachingSettings, cassettes }')
    const defaults = await project.runEdited(config, IMAGES, 'cachingSettings()', [
      '-t',
      'orders a lamp',
    ])
    project.edit(page, '<button>Order</button>', '')
    const skipping = 'cachingSettings({ executionSettings: { skipVisualValidation: true } })'
    const skipped = await project.runEdited(config, IMAGES, skipping, ['-t', 'orders a lamp'])
    runs = { steps, more, fewer, defaults, skipped }
  }, 240_000)

  test('step by step, with a delay between actions, and to where it is to stop', () => {
    expect(runs.steps.exitCode, runs.steps.output).toBe(0)
    expect(runs.steps.output).toContain('3 replayed')
  })

  test('a step that was not agreed on fails, and says which speaker refused it and why', () => {
    expect(runs.more.exitCode).toBe(1)
    expect(runs.more.output).toContain('The speaker "executor" failed: three steps were agreed on')
  })

  test('a condition that stops it too early leaves steps over, which fails', () => {
    expect(runs.fewer.exitCode).toBe(1)
    expect(runs.fewer.output).toContain('1 replayed | 2 unused')
  })

  test('with the defaults of a cache it replays', () => {
    expect(runs.defaults.exitCode, runs.defaults.output).toBe(0)
    expect(runs.defaults.output).toContain('5 replayed')
  })

  test('skip visual validation: another screen replays, is counted, and is found by the verification', () => {
    expect(runs.skipped.exitCode).toBe(1)
    expect(runs.skipped.output).toContain('5 replayed')
    expect(runs.skipped.output).toMatch(/^ *Pictures {2}\d /m)
    expect(runs.skipped.output).toContain('Thank you, Ada')
  })
})
