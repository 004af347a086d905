import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

const source = new URL('../../../../src/transports/intercept/patch/when-loaded.ts', import.meta.url)
const builtin = new URL('../../../../src/real/builtin.ts', import.meta.url)

/** Runs a program that has loaded nothing yet, and returns what it told. */
function run(program: string): unknown {
  const text = `
    import { createRequire } from 'node:module'
    import { isLoaded } from ${JSON.stringify(builtin)}
    import { whenLoaded } from ${JSON.stringify(source)}
    const require = createRequire(import.meta.url)
    const told = []
    /** Puts a name around what a function of http2 says. */
    const patch = (name) => () => {
      const http2 = process.getBuiltinModule('node:http2')
      const { getPackedSettings } = http2
      const wrapped = (...args) => name + '(' + String(getPackedSettings.wrapped ?? 'plain') + ')'
      wrapped.wrapped = name + '(' + String(getPackedSettings.wrapped ?? 'plain') + ')'
      http2.getPackedSettings = wrapped
      told.push('patch ' + name)
      return () => void (http2.getPackedSettings = getPackedSettings)
    }
    ${program}
    console.log(JSON.stringify(told))`
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', text], {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  return JSON.parse(output) as unknown
}

test('a module is patched when it is loaded, before the program sees it, and put back at the end', () => {
  const told = run(`
    const undo = whenLoaded(['node:http2'], patch('one'))
    told.push(isLoaded('node:http2'))
    const { getPackedSettings } = await import('node:http2')
    told.push(isLoaded('node:http2'), getPackedSettings())
    const http2 = await import('node:http2')
    undo()
    told.push(typeof http2.getPackedSettings(), require('http2').getPackedSettings.wrapped ?? 'plain')`)
  expect(told).toEqual([false, 'patch one', true, 'one(plain)', 'object', 'plain'])
})

test('a module is patched also where it is required, by its name without a scheme', () => {
  const told = run(`
    whenLoaded(['node:http2'], patch('one'))
    told.push(require('http2').getPackedSettings())`)
  expect(told).toEqual(['patch one', 'one(plain)'])
})

test('a module that is loaded already is patched at once', () => {
  const told = run(`
    await import('node:http2')
    whenLoaded(['node:http2'], patch('one'))
    told.push('after')`)
  expect(told).toEqual(['patch one', 'after'])
})

test('who comes last replaces what was there, and a patch called off never comes', () => {
  const told = run(`
    whenLoaded(['node:http2'], patch('one'))
    whenLoaded(['node:http2'], patch('gone'))()
    const undo = whenLoaded(['node:http2'], patch('two'))
    const { getPackedSettings } = require('node:http2')
    told.push(getPackedSettings())
    undo()
    told.push(require('node:http2').getPackedSettings())`)
  expect(told).toEqual(['patch one', 'patch two', 'two(one(plain))', 'one(plain)'])
})

test('of several modules the first that is loaded applies the patch, once', () => {
  const told = run(`
    whenLoaded(['node:http2', 'node:https'], patch('one'))
    await import('node:https')
    await import('node:http2')`)
  expect(told).toEqual(['patch one'])
})

test('named imports see all patches that are applied and undone together, once they are', () => {
  const told = run(`
    import { patchTogether } from ${JSON.stringify(source)}
    const http2 = await import('node:http2')
    const undo = patchTogether(() => {
      const ends = [whenLoaded(['node:http2'], patch('one')), whenLoaded(['node:http2'], patch('two'))]
      told.push(http2.getPackedSettings.wrapped ?? 'plain')
      return ends
    })
    told.push(http2.getPackedSettings.wrapped)
    patchTogether(() => undo.toReversed().forEach((end) => end()))
    told.push(http2.getPackedSettings.wrapped ?? 'plain')`)
  expect(told).toEqual(['patch one', 'patch two', 'plain', 'two(one(plain))', 'plain'])
})
