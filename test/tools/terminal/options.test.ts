import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { COMMANDS } from '../../../src/tools/commands.ts'
import { numberOption } from '../../../src/tools/terminal/options.ts'
import { expectGolden } from '../../golden.ts'
import { CliProject } from '../run-cli.ts'

test('an option gives a number, or none where it was not given', () => {
  expect(numberOption({ min: '0.5' }, 'min')).toBe(0.5)
  expect(numberOption({}, 'min')).toBeUndefined()
})

test.each(['many', '', ' ', '-1', '0', '1.5'])(
  '%o is refused where a count is needed',
  async (text) => {
    using project = new CliProject()
    const { code, problems } = await project.run('rehearse', `--samples=${text}`)
    expect(code, problems).toBe(2)
    expect(problems).toContain('--samples')
    expect(problems).toContain(`"${text}"`)
  },
)

test('a refused number names the option, the value, and the numbers that it takes', async () => {
  using project = new CliProject()
  const { problems } = await project.run('rehearse', '--samples=1.5')
  await expectGolden(problems, 'no-whole-number')
})

const OF_ANOTHER_KIND = { file: 'a-folder', 'new file': 'a-folder', folder: 'a-file' }

/** Values that no option of a kind takes, by the options of all commands. */
const WRONG = COMMANDS.flatMap(({ name, options }) =>
  Object.entries(options).flatMap(([option, { takes, path }]): string[][] => {
    if (takes !== undefined) return [[name, option, 'abc']]
    if (path === undefined) return []
    const other = path === 'any' ? [] : [[name, option, OF_ANOTHER_KIND[path]]]
    return [...other, ...(path === 'any' || path === 'file' ? [] : [[name, option, 'a-file/x']])]
  }),
)

test('every option says what it takes, and refuses all else as a wrong call', async () => {
  using project = new CliProject()
  writeFileSync(join(project.root, 'a-file'), '')
  mkdirSync(join(project.root, 'a-folder'))
  expect(WRONG.length).toBeGreaterThan(40)
  const texts = new Set<string>()
  for (const [name, option, value] of WRONG) {
    const { code, out, problems } = await project.run(...name!.split(' '), `--${option}=${value}`)
    expect([name, option, code, out]).toEqual([name, option, 2, ''])
    expect(problems).toMatch(new RegExp(`^--${option} .*${value}`))
    texts.add(problems.replace(/^--[\w-]+/, '--…'))
  }
  await expectGolden([...texts].toSorted().join(''), 'of-another-kind')
})
