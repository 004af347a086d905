import { expect, test } from 'vitest'
import { needs } from '../needs.ts'
import { linkClients } from './installed-clients.ts'
import { VitestProject } from './vitest-project.ts'

test(
  'LangChain counts tokens at once, where it would download their list',
  needs('clients'),
  async () => {
    const project = new VitestProject('side-requests')
    linkClients(project)
    const { exitCode, output } = await project.run()
    expect(exitCode, output).toBe(0)
  },
)
