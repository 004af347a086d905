import { expect, test } from 'vitest'
import { numberOption } from '../../../src/tools/terminal/options.ts'
import { expectGolden } from '../../golden.ts'
import { CliProject } from '../run-cli.ts'

test('an option gives a number, or none where it was not given', () => {
  expect(numberOption({ min: '0.5' }, 'min', 'a number')).toBe(0.5)
  expect(numberOption({}, 'min', 'a number')).toBeUndefined()
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
