import { expect, test } from 'vitest'
import { needs } from '../needs.ts'
import { VitestProject } from './vitest-project.ts'

const providers = [
  ['openai', 'OPENAI_API_KEY'],
  ['anthropic', 'ANTHROPIC_API_KEY'],
] as const

for (const [provider, variable] of providers) {
  test(
    `a call of the real ${provider} is recorded and replayed without its key`,
    needs(variable),
    async () => {
      const key = process.env[variable]
      const project = new VitestProject('real-providers')
      const file = `${provider}.test.ts`
      const recorded = await project.record([file], { [variable]: key })
      expect(recorded.exitCode, recorded.output).toBe(0)
      for (const path of project.files()) {
        expect(project.read(`__recordings__/${path}`)).not.toContain(key)
      }
      const replayed = await project.run([file], { [variable]: 'no-key-needed' })
      expect(replayed.exitCode, replayed.output).toBe(0)
    },
  )
}
