import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'

const { NETWORK = 'closed', HOSTS = '' } = process.env

export default defineConfig({
  plugins: [
    cassettes({
      network: NETWORK as 'open' | 'closed',
      hosts: HOSTS.split(',').filter(Boolean),
      allowHosts: ['allowed.invalid', 'db.allowed.invalid:5432'],
    }),
  ],
})
