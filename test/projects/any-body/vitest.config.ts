import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'

const { HOSTS } = process.env

export default defineConfig({ plugins: [cassettes(HOSTS ? { hosts: [HOSTS] } : {})] })
