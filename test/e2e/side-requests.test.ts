import { expect, test } from 'vitest'
import { needs } from '../needs.ts'
import { linkClients } from './installed-clients.ts'
import { VitestProject } from './vitest-project.ts'

test('what libraries ask beside the model is no prompt, and is not sent in replay', async () => {
  const project = new VitestProject('side-requests')
  const run = await project.run(['side-requests', '-t', 'upload|download'])
  expect(run.exitCode, run.output).toBe(0)
  expect(run.output).toContain('19 passed')
  expect(project.files()).toEqual([])
})

test('by other transports it is refused with its name, and the test fails', async () => {
  const run = await new VitestProject('side-requests').run(['side-requests', '-t', 'over HTTP/2'])
  expect(run.exitCode).toBe(1)
  expect(run.output).toContain("add 'api.smith.langchain.com' to the option allowHosts")
})

test(
  'LangChain counts tokens at once, where it would download their list',
  needs('clients'),
  async () => {
    const project = new VitestProject('side-requests')
    linkClients(project)
    const { exitCode, output } = await project.run(['langchain'])
    expect(exitCode, output).toBe(0)
  },
)
