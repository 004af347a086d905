import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { commandOf, isPiped } from '../../../../src/transports/intercept/mcp/started-command.ts'

test.each([
  [process.execPath, ['node', resolve('servers/weather.ts')], 'node servers/weather.ts'],
  ['/usr/bin/npx', ['npx', '-y', '@acme/weather-mcp'], 'npx -y @acme/weather-mcp'],
  ['/opt/weather/bin/python3', ['python3', '-m', 'server'], 'python3 -m server'],
  ['node', ['node', '/home/me/weather/build/index.js'], 'node index.js'],
  ['node', ['node', resolve('../node_modules/@acme/sky/i.js')], 'node @acme/sky/i.js'],
])('%s with %j is the command of its author', (file, args, command) => {
  expect(commandOf({ file, args })).toBe(command)
})

test.each([
  [undefined, true],
  ['pipe', true],
  [['pipe', 'pipe', 'inherit'], true],
  [['overlapped', undefined, null], true],
  ['inherit', false],
  [['ignore', 'pipe', 'pipe'], false],
  [['pipe', 'pipe', 'pipe', 'ipc'], false],
])('somebody can talk to a process with %j: %s', (stdio, is) => {
  expect(isPiped({ stdio })).toBe(is)
})
