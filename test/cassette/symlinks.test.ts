import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isRecorded } from '../../src/cassette/cassette.ts'
import { Journal, journalFiles } from '../../src/cassette/journal.ts'
import { CassetteStore } from '../../src/cassette/store.ts'
import { WorkspaceFolder } from '../../src/histories/workspace-folder.ts'
import { storeConversation } from '../../src/histories/stored-conversation.ts'
import { PriceTable } from '../../src/conversation/cost.ts'
import { CliProject } from '../tools/run-cli.ts'
import { coded, expectGolden, failuresOf } from '../golden.ts'
import { exampleCassette } from './example-cassette.ts'

const PATH = 'a.test.ts/greets-0123456789.json'
const CACHE = 'node_modules/.cache/vitest-cassette'

/** A picture is kept as a file of its own. */
const picture = `data:image/png;base64,${Buffer.concat([
  Buffer.from('89504e470d0a1a0a', 'hex'),
  Buffer.alloc(2_000),
]).toString('base64')}`
const cassette = exampleCassette({ messages: [picture] })

/** A project in which `link` leads to a folder elsewhere. */
function projectWith(link: string): { root: string; elsewhere: string } {
  const parent = mkdtempSync(join(tmpdir(), 'cassette-links-'))
  onTestFinished(() => rmSync(parent, { recursive: true }))
  const [root, elsewhere] = [join(parent, 'project'), join(parent, 'elsewhere')]
  mkdirSync(elsewhere)
  mkdirSync(dirname(join(root, link)), { recursive: true })
  symlinkSync(elsewhere, join(root, link))
  return { root, elsewhere }
}

function journalOf(root: string): Journal {
  return new Journal({ root, dir: '__recordings__', path: PATH, id: 'a' })
}

function pay(journal: Journal): void {
  const [exchange] = cassette.exchanges.filter(isRecorded)
  journal.append({ order: 0, hash: exchange!.prompt.hash, ...exchange!.wire })
}

const LINKS = ['__recordings__', '__recordings__/blobs', '__recordings__/a.test.ts']

test.each(LINKS)(
  'no cassette is written through %s that is a link, and it is said which',
  async (link) => {
    const { root, elsewhere } = projectWith(link)
    const store = new CassetteStore(root, '__recordings__', 1e6)
    await expect(store.save(PATH, cassette)).rejects.toThrow(coded('invalid-cassette'))
    await expect(store.save(PATH, cassette)).rejects.toThrow(new RegExp(`${link} .* link`))
    expect(readdirSync(elsewhere)).toEqual([])
    expect(existsSync(join(root, '__recordings__', PATH))).toBe(false)
  },
)

test('a link in the way is refused with what to do', async () => {
  const rows = LINKS.map((link) => {
    const { root } = projectWith(link)
    const store = new CassetteStore(root, '__recordings__', 1e6)
    return [root, () => store.save(PATH, cassette)] as const
  })
  const roots = rows.map(([root], index) => [root, `<root ${index + 1}>`])
  await expectGolden(await failuresOf(rows), 'links', Object.fromEntries(roots))
})

test('a picture that is a link is not taken for the one that was recorded', async () => {
  const { root } = projectWith('other')
  const store = new CassetteStore(root, '__recordings__', 1e6)
  await store.save(PATH, cassette)
  const blobs = join(root, '__recordings__/blobs')
  const [name] = readdirSync(blobs)
  rmSync(join(blobs, name!))
  writeFileSync(join(root, 'secret'), 'secret')
  symlinkSync(join(root, 'secret'), join(blobs, name!))
  await expect(store.save(PATH, cassette)).rejects.toThrow(new RegExp(`blobs/${name} .* link`))
  expect(readFileSync(join(root, 'secret'), 'utf8')).toBe('secret')
})

test.each(['node_modules', 'node_modules/.cache', CACHE])(
  'a %s that is a link is the user’s own: what is kept outside of git is kept there',
  async (link) => {
    const { root, elsewhere } = projectWith(link)
    const journal = journalOf(root)
    pay(journal)
    expect(journal.display).toMatch(new RegExp(`^${CACHE}/journal/`))
    await new CassetteStore(root, '__recordings__', 1e6).park(PATH, cassette)
    const kept = readdirSync(elsewhere, { recursive: true }).map(String)
    expect(kept.filter((path) => /\.jsonl?$/.test(path))).toHaveLength(2)
    journal.release()
    expect(journalFiles(root, '__recordings__')).toHaveLength(1)
  },
)

test.each(['journal', 'journal/__recordings__'])(
  'no answer is written through a link at %s in the cache, and none read',
  (link) => {
    const { root, elsewhere } = projectWith(`${CACHE}/${link}`)
    const journal = journalOf(root)
    pay(journal)
    expect(journal.isElsewhere).toBe(true)
    expect(readdirSync(elsewhere)).toEqual([])
    journal.delete()
    mkdirSync(join(elsewhere, '__recordings__'))
    for (const folder of [elsewhere, join(elsewhere, '__recordings__')])
      writeFileSync(join(folder, 'x.jsonl'), '')
    expect(journalFiles(root, '__recordings__')).toEqual([])
  },
)

test.each([
  'parked',
  'parked/__recordings__',
  'parked/__recordings__/a.test.ts',
  'parked/__recordings__/blobs',
])('no recording is parked through a link at %s in the cache', async (link) => {
  const { root, elsewhere } = projectWith(`${CACHE}/${link}`)
  const store = new CassetteStore(root, '__recordings__', 1e6)
  const parked = await store.park(PATH, cassette)
  onTestFinished(() => rmSync(join(root, parked), { force: true }))
  expect(parked).not.toContain(CACHE)
  expect(readdirSync(elsewhere)).toEqual([])
})

test('no picture that was asked is kept through a link in the cache', async () => {
  const { root, elsewhere } = projectWith(`${CACHE}/asked`)
  const pictures = [{ name: 'a.png', bytes: Buffer.from('a') }]
  const store = new CassetteStore(root, '__recordings__', 1e6)
  await expect(store.keepAsked(pictures)).rejects.toThrow(/asked .* link/)
  expect(readdirSync(elsewhere)).toEqual([])
})

test('a stored conversation is neither written nor read through a link in its store', async () => {
  const { root, elsewhere } = projectWith('other')
  const store = new WorkspaceFolder(join(root, 'store'), root)
  const stored = storeConversation(cassette, 'hello', root, new PriceTable({}))
  const folder = await store.write(stored, stored.blobs)
  const [name] = readdirSync(join(folder, 'blobs'))
  rmSync(join(folder, 'blobs'), { recursive: true })
  symlinkSync(elsewhere, join(folder, 'blobs'))
  writeFileSync(join(elsewhere, name!), 'secret')
  await expect(store.write(stored, stored.blobs)).rejects.toThrow(/blobs .* link/)
  expect(() => store.readBlob('hello', name!)).toThrow(/blobs .* link/)
  expect(readFileSync(join(elsewhere, name!), 'utf8')).toBe('secret')
})

test('init copies nothing from where a link leads', async () => {
  using project = new CliProject()
  writeFileSync(join(project.root, 'secret'), 'secret')
  symlinkSync('secret', join(project.root, '.gitattributes'))
  const { code, problems } = await project.run('init', '--yes')
  expect([code, problems]).toEqual([1, expect.stringContaining('.gitattributes ')])
  expect(readFileSync(join(project.root, '.gitattributes'), 'utf8')).toBe('secret')
})
