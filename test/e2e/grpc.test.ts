import { once } from 'node:events'
import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import { VitestProject } from './vitest-project.ts'

const ALL = ['asks', 'fails as its model does', 'streams']

test('calls of gRPC are recorded, replayed without their server, and a changed one is a miss', async () => {
  const server = spawn(process.execPath, ['test/projects/grpc/serve.ts'])
  const [port] = await once(server.stdout.setEncoding('utf8'), 'data')
  const project = new VitestProject('grpc', { GRPC_HOST: `127.0.0.1:${String(port).trim()}` })
  const recorded = await project.runTests([], { RECORD: '1' })
  server.kill()
  await once(server, 'exit')
  const passed = ({ tests }: typeof recorded): string[] =>
    tests.flatMap(({ title, status }) => (status === 'passed' ? title : [])).toSorted()
  expect(passed(recorded), recorded.output).toEqual(ALL)
  expect(project.files()).toHaveLength(3)
  const replayed = await project.runTests()
  expect(passed(replayed), replayed.output).toEqual(ALL)
  const changed = await project.runTests([], { WORD: 'moon' })
  expect(passed(changed), changed.output).toEqual(ALL.slice(1))
  // Its client gets an error of its own kind.
  expect(changed.output).not.toContain('RESOURCE_EXHAUSTED')
  const verified = await project.cli('verify')
  expect(verified.exitCode, verified.output).toBe(0)
})
