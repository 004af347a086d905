import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { expectGolden } from '../../../golden.ts'
import { CliProject } from '../../run-cli.ts'
import { chatOf, otlpOf, type WrittenSpan } from './spans.ts'

/** Two agents under one parent, each with two calls, by turns. */
function agents(more: Record<string, number | string>): WrittenSpan[] {
  const agent = (id: string): WrittenSpan => ({
    id,
    parent: 'root',
    attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': id },
  })
  const call = (id: string, parent: string, at: number, texts: string[]): WrittenSpan => {
    const [first, answer, second, last] = texts as [string, string, string?, string?]
    const say = (role: string, content: string) => ({ role, parts: [{ type: 'text', content }] })
    const said = [
      say('user', first),
      ...(second === undefined ? [] : [say('assistant', answer), say('user', second)]),
    ]
    return { id, parent, at, attributes: chatOf(said, last ?? answer, more) }
  }
  return [
    { id: 'root', name: 'team' },
    agent('planner'),
    agent('writer'),
    call('a', 'planner', 10, ['Plan a tale', 'Of a lamp.']),
    call('b', 'writer', 11, ['Write a tale', 'Once.']),
    call('c', 'planner', 12, ['Plan a tale', 'Of a lamp.', 'Shorter', 'A lamp.']),
    call('d', 'writer', 13, ['Write a tale', 'Once.', 'Go on', 'The end.']),
  ]
}

async function shownOf(spans: WrittenSpan[]): Promise<{ out: string; data: string }> {
  using project = new CliProject()
  writeFileSync(join(project.root, 'trace.json'), otlpOf(spans))
  const written = await project.run(
    'import',
    'trace.json',
    '--to',
    '__recordings__/a.json',
    '--write',
  )
  expect([written.code, written.problems]).toEqual([0, ''])
  const { out } = await project.run('show', 'a.json')
  const { code } = await project.run('show', '--html', 'page')
  expect(code).toBe(0)
  const files = readdirSync(join(project.root, 'page/data'))
  const data = files.map((file) => readFileSync(join(project.root, 'page/data', file), 'utf8'))
  return { out, data: data.join('\n') }
}

test('agents under one parent are threads of their own, and what is not compared is told', async () => {
  const { out, data } = await shownOf(agents({ 'gen_ai.request.temperature': 0.2 }))
  expect(out).toMatch(
    /thread-1[^]*Plan a tale[^]*Shorter[^]*A lamp\.[^]*thread-2[^]*Write a tale[^]*Go on[^]*The end\./,
  )
  const uncompared = out.split('\n').filter((line) => /: instructions, .*tools, .*model/.test(line))
  const [line, ...others] = new Set(uncompared)
  expect(others).toEqual([])
  await expectGolden(line!, 'not-compared')
  // Each is told once, though the agents take turns.
  expect(out.match(/Plan a tale/g)).toHaveLength(1)
  expect(data).toMatch(/"uncompared":"instructions, .*tools, .*model/)
})
