import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { test } from 'vitest'

const run = promisify(execFile)
const { WAYS = '', ADDRESS = '', PYTHON = 'python3' } = process.env

test.for(WAYS.split(' '))('by %s', async (way) => {
  const { stdout } = await run(PYTHON, ['ways.py', way, ADDRESS])
  console.log(`<${way}> ${stdout}`)
})

test('a shell that starts Python', async () => {
  const { stdout } = await run('sh', ['-c', `${PYTHON} ways.py http_client ${ADDRESS}`])
  console.log(`<shell> ${stdout}`)
})

test('Node that starts Python', async () => {
  const start = `require('child_process').execFile('${PYTHON}', ['ways.py', 'socket', '${ADDRESS}'], (_, out) => console.log(out))`
  const { stdout } = await run('node', ['-e', start])
  console.log(`<node> ${stdout}`)
})
