import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectGolden } from '../golden.ts'
import { needs } from '../needs.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { failureIn, VitestProject, type Run } from './vitest-project.ts'

const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
const CLI = 'node ../node_modules/vitest-cassette/dist/cli.mjs'
const JOURNALS = 'node_modules/.cache/vitest-cassette/journal'
const PARKED = 'node_modules/.cache/vitest-cassette/parked'

describe('a disk that cannot be written', needs('namespaces'), () => {
  let upstream: Upstream
  let project: VitestProject

  beforeAll(async () => {
    upstream = await startUpstream()
  })
  beforeEach(async () => {
    project = new VitestProject('saving', { UPSTREAM_URL: upstream.oddUrl })
    const { exitCode, output } = await project.record(['saving.test.ts'])
    expect(exitCode, output).toBe(0)
  })
  afterAll(() => upstream.stop())

  /** Records with something mounted, which is gone afterwards; what lay there is then in `after`. */
  function recordOn(...mounts: string[]): Promise<Run> {
    const lines = [
      'cp -r __recordings__ before',
      ...mounts,
      `RECORD=1 node ${vitest} run saving.test.ts`,
      'code=$?',
      `${CLI} recover --yes > recovery 2>&1`,
      'cp -r __recordings__ after',
      'exit $code',
    ]
    project.write('mounted.sh', lines.join('\n'))
    return project.shell('unshare -rm sh mounted.sh')
  }

  /** A text without the time, and the temporary file that could not be opened. */
  function steady(text: string): string {
    return text
      .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, '<time>')
      .replace(/(open) '.*\.tmp'/, "$1 '<file>'")
  }

  function expectUnwritten(): void {
    const { tests } = project.json('node_modules/.cache/vitest-cassette/failures.json')
    expect(tests).toMatchObject([{ code: 'unwritten' }])
  }

  function expectOldWhole(): void {
    const old = project.files('before')
    expect(project.files('after').filter((file) => file !== 'filler')).toEqual(old)
    for (const file of old)
      expect(project.read(`after/${file}`)).toBe(project.read(`before/${file}`))
  }

  test('a full one of 1 MB leaves the old cassette whole, and the answer comes back with recover', async () => {
    const run = await recordOn(
      'mount -t tmpfs -o size=1m none __recordings__',
      'cp -r before/. __recordings__',
      'head -c 2m /dev/zero > __recordings__/filler 2> /dev/null',
    )
    const cassette = project.cassette('fails-when-it-is-told-to')
    expect(run.exitCode).toBe(1)
    expectUnwritten()
    const failure = failureIn(run, 'saving.test.ts > fails when it is told to')
    expect(failure).toContain('ENOSPC')
    expect(failure).toContain('npx vitest-cassette recover')
    await expectGolden(steady(failure), 'full')
    // What did not change needed no room.
    expect(run.output).toContain('Tests  1 failed | 1 passed')
    expectOldWhole()
    expect(project.read('recovery')).toContain(cassette)
    await expectGolden(steady(project.read('recovery')), 'full-recovery')

    const asked = await upstream.count()
    const recovery = await project.cli('recover --yes')
    expect(recovery.exitCode, recovery.output).toBe(0)
    await expectGolden(steady(recovery.output), 'recovery')
    expect(project.read(cassette)).not.toBe(
      project.read(cassette.replace('__recordings__', 'before')),
    )
    const replay = await project.run(['saving.test.ts'])
    expect(replay.exitCode, replay.output).toBe(0)
    expect(await upstream.count()).toBe(asked)
    expect([...project.files(JOURNALS), ...project.files(PARKED)]).toEqual([])
  })

  test('a read-only folder leaves the old cassette whole, and says so', async () => {
    const run = await recordOn(
      'mount --bind __recordings__ __recordings__',
      'mount -o remount,ro,bind __recordings__',
    )
    expect(run.exitCode).toBe(1)
    expectUnwritten()
    const failure = failureIn(run, 'saving.test.ts > fails when it is told to')
    expect(failure).toContain('EROFS')
    await expectGolden(steady(failure), 'read-only')
    expectOldWhole()
    await expectGolden(steady(project.read('recovery')), 'read-only-recovery')
    expect(project.files(PARKED)).toHaveLength(1)
  })

  test('of a prompt that changed, recover brings the new recording in the place of the old one', async () => {
    project.edit('saving.test.ts', 'And now?', 'And then?')
    project.edit('saving.test.ts', 'And now?', 'And then?')
    const run = await recordOn(
      'mount --bind __recordings__ __recordings__',
      'mount -o remount,ro,bind __recordings__',
    )
    expect(run.exitCode).toBe(1)
    const asked = await upstream.count()
    const recovery = await project.cli('recover --yes')
    expect(recovery.exitCode, recovery.output).toBe(0)
    const replay = await project.run(['saving.test.ts'])
    expect(replay.exitCode, replay.output).toBe(0)
    expect(await upstream.count()).toBe(asked)
  })

  test('where node_modules/.cache is read-only, answers are kept among temporary files meanwhile', async () => {
    mkdirSync(join(project.dir, 'temporary'))
    const run = await recordOn(
      'mount --bind node_modules/.cache node_modules/.cache',
      'mount -o remount,ro,bind node_modules/.cache',
      `export TMPDIR=${project.dir}/temporary`,
    )
    expect(run.exitCode, run.output).toBe(0)
    const [told] = /.* temporary\/vitest-cassette-\w+\/journal\/.*/.exec(run.output)!
    const known = told.replace(/(vitest-cassette-)\w+(\/journal\/)\S+/, '$1<random>$2<file>')
    await expectGolden(known, 'read-only-cache')
    expect(project.files('temporary').filter((file) => file.endsWith('.jsonl'))).toEqual([])
  })
})
