import { expect, test } from 'vitest'
import { needs } from '../needs.ts'
import { PseudoTerminal } from './pseudo-terminal.ts'
import { VitestProject } from './vitest-project.ts'

const HOW = 'npx vitest-cassette record --prompts misses.test.ts'

test('-u says how to accept prompts that changed, records nothing, and fails all the same', async () => {
  const project = new VitestProject('../lab/scenarios/misses')
  const before = project.files()
  const { output, exitCode } = await project.run(['misses', '-u'])
  expect(exitCode).toBe(1)
  expect(output).toContain('Accept  an update of snapshots records no answers')
  expect(output).toContain(HOW)
  expect(output).toContain('npx vitest-cassette record --changed')
  expect(project.files()).toEqual(before)
  expect((await project.run(['misses'])).output).not.toContain('Accept  ')
})

test('so does u in watch mode', needs('script'), async () => {
  const project = new VitestProject('../lab/scenarios/misses')
  const line = `${process.execPath} ${process.cwd()}/node_modules/vitest/vitest.mjs --watch`
  await using terminal = new PseudoTerminal(project.dir, line, {})
  await terminal.shows('to show help')
  expect(terminal.output).toContain('run the command in another terminal')
  expect(terminal.output).not.toContain('Accept')
  terminal.press('u')
  await terminal.shows(HOW)
  terminal.press('q')
  await terminal.ends()
})
