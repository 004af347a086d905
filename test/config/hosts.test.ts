import { expect, test } from 'vitest'
import { matchesHost, serverAt, serverNamed } from '../../src/config/hosts.ts'

test.each([
  ['node servers/weather.ts', 'weather'],
  ['node servers/weather.ts', 'weather.ts'],
  ['npx -y @acme/weather-mcp', '@acme/weather-mcp'],
  ['npx -y @acme/weather-mcp', 'Weather'],
  ['uvx mcp-server-git --repository .', 'git'],
  ['python -m my_server', 'my_server'],
  ['node wetter-für-bern.mjs', 'für'],
])('%s is called %s', (command, name) => {
  expect(serverNamed(command, ['nothing', name])).toBe(name)
})

test.each([
  ['node servers/filesystem.ts', 'file'],
  ['node servers/github.ts', 'git'],
  ['node weatherman.ts', 'weather'],
  ['node v1.ts', '1'],
])('%s is not called %s', (command, name) => {
  expect(serverNamed(command, [name])).toBeUndefined()
})

test('an address is called by its host, its port and its path, and by nothing that is secret', () => {
  const url = new URL('https://user:weather@mcp.example.com:8443/sky/mcp?key=storm')
  for (const name of ['mcp.example.com', 'example.com:8443', 'sky/mcp', 'sky'])
    expect(serverAt(url, [name])).toBe(name)
  for (const name of ['weather', 'user', 'storm', 'https'])
    expect(serverAt(url, [name])).toBeUndefined()
})

test('with a port, all names of this machine are one host; without one, each is its own', () => {
  const names = ['localhost', '127.0.0.1', '[::1]']
  for (const named of names)
    for (const asked of [...names, '[::ffff:127.0.0.1]']) {
      expect(matchesHost(new URL(`http://${asked}:4013/run`), [`${named}:4013`])).toBe(true)
      expect(matchesHost(new URL(`http://${asked}:4014/run`), [`${named}:4013`])).toBe(false)
    }
  expect(matchesHost(new URL('http://localhost:4013'), ['127.0.0.1'])).toBe(false)
})
