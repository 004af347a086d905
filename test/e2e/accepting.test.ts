import { expect, test } from 'vitest'
import { needs } from '../needs.ts'
import { PseudoTerminal } from './pseudo-terminal.ts'
import { VitestProject } from './vitest-project.ts'

const HOW = 'npx vitest-cassette record --prompts misses.test.ts'

test('-u names the commands that accept prompts that changed, records nothing, and fails all the same', async () => {
  const project = new VitestProject('../lab/scenarios/misses')
  const before = project.files()
  const { output, exitCode } = await project.run(['misses', '-u'])
  expect(exitCode).toBe(1)
  const [, told] = /^ *Accept {2}([^]*?)\n\n/m.exec(output) ?? []
  expect(told).toContain(HOW)
  expect(told).toContain('npx vitest-cassette record --changed')
  expect(project.files()).toEqual(before)
})

test('so does u in watch mode', needs('script'), async () => {
  const project = new VitestProject('../lab/scenarios/misses')
  const line = `${process.execPath} ${process.cwd()}/node_modules/vitest/vitest.mjs --watch`
  await using terminal = new PseudoTerminal(project.dir, line, {})
  await terminal.shows('to show help')
  expect(terminal.output).toContain(' another terminal')
  expect(terminal.output).not.toContain('Accept')
  terminal.press('u')
  await terminal.shows(HOW)
  terminal.press('q')
  await terminal.ends()
})
