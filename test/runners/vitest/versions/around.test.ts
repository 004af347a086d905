import { expect, test } from 'vitest'
import { encloseCode } from '../../../../src/runners/vitest/versions/around.ts'

const nothing = () => () => {}

test('hooks run from the outermost to the innermost, and go on in reverse when the code has ended', async () => {
  const told: string[] = []
  const hook = (name: string) => async (run: () => Promise<void>, context: string) => {
    told.push(`${name} begins ${context}`)
    await run()
    told.push(`${name} ends`)
  }
  const enclosed = encloseCode([hook('outer'), hook('inner')], 'a test', () => {
    told.push('kept')
    return () => void told.push('entered')
  })
  expect(enclosed.hasBegun).toBe(true)
  told.push('the test')
  await enclosed.end()
  expect(told).toEqual([
    'outer begins a test',
    'inner begins a test',
    'kept',
    'entered',
    'the test',
    'inner ends',
    'outer ends',
  ])
})

test('the errors of all hooks arrive as one list, and an outer hook goes on behind an inner one that fails', async () => {
  const { end } = encloseCode(
    [
      async (run) => {
        await run()
        throw new AggregateError([new Error('outer'), new Error('outer too')])
      },
      async (run) => {
        await run()
        throw new Error('inner')
      },
    ],
    undefined,
    nothing,
  )
  await expect(end()).rejects.toMatchObject([
    { message: 'inner' },
    { message: 'outer' },
    { message: 'outer too' },
  ])
})

test('a hook that fails before the code does not let it begin', async () => {
  const enclosed = encloseCode(
    [() => Promise.reject(new Error('not today')), (run) => run()],
    undefined,
    nothing,
  )
  expect(enclosed.hasBegun).toBe(false)
  await expect(enclosed.end()).rejects.toMatchObject([{ message: 'not today' }])
})

test('a hook that waits first lets the code begin later, and one that then fails does not', async () => {
  const asked = Promise.withResolvers<void>()
  const wait = async (run: () => Promise<void>): Promise<void> => {
    await asked.promise
    await run()
  }
  const later = encloseCode([wait], undefined, nothing)
  const never = encloseCode([wait, () => Promise.reject(new Error('no'))], undefined, nothing)
  expect([later.hasBegun, never.hasBegun]).toEqual([false, false])
  asked.resolve()
  await Promise.all([later.begins, never.begins])
  expect([later.hasBegun, never.hasBegun]).toEqual([true, false])
  await later.end()
  await expect(never.end()).rejects.toMatchObject([{ message: 'no' }])
})

test('without hooks, the code begins at once', async () => {
  const enclosed = encloseCode([], undefined, nothing)
  expect(enclosed.hasBegun).toBe(true)
  await expect(enclosed.end()).resolves.toBeUndefined()
})
