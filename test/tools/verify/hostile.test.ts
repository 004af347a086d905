import { lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { printCassette } from '../../../src/cassette/format.ts'
import { cassettePath } from '../../../src/cassette/paths.ts'
import type { Finding } from '../../../src/tools/verify/verify-cassettes.ts'
import { recordAgent } from '../../conversation/example-agent.ts'
import { chatWire } from '../../conversation/example-wires.ts'
import { CliProject } from '../run-cli.ts'
import type { EditedCassette } from './hostile-edit.ts'
import { HOSTILE_EDITS } from './hostile-edits.ts'

const LONG = 'The order was handed to the carrier, who lost it. '.repeat(20).trim()

// test/e2e/hostile.test.ts has all of them in one project, and replays them.
test.for(HOSTILE_EDITS.filter(({ isHeavy }) => !isHeavy))(
  '$name: verify names it',
  async ({ name, edit, named }) => {
    using project = new CliProject()
    const outside = join(project.root, 'outside')
    mkdirSync(outside)
    for (const file of ['outside/secret.png', 'hostile.test.ts'])
      writeFileSync(join(project.root, file), 'a secret')
    const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(1024)])
    const turn = { question: name, arguments: { order: 7 }, result: 'lost', answer: LONG }
    const cassette = recordAgent(chatWire, [{ ...turn, screenshot: png.toString('base64') }])
    const path = cassettePath({ file: 'hostile.test.ts', titles: [name], ordinal: 0 })
    await project.save(path, { ...cassette, conversationId: `hostile.test.ts > ${name}` })
    const folder = join(project.root, '__recordings__')
    const file = join(folder, path)
    const text = readFileSync(file, 'utf8')

    const edited = JSON.parse(text) as EditedCassette
    const changed = edit(edited, { file, text, blobs: join(folder, 'blobs'), outside })
    const stat = lstatSync(file, { throwIfNoEntry: false })
    if (changed !== undefined) writeFileSync(file, changed)
    else if (stat?.isFile() && stat.size === text.length) writeFileSync(file, printCassette(edited))

    const { out } = await project.run('verify', '--json')
    const { findings } = JSON.parse(out) as { findings: Finding[] }
    expect(findings.map(({ check }) => check)).toEqual(expect.arrayContaining(named))
    expect(out).not.toContain('a secret')
  },
)
