import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'

const projects = ['packages/*']
const { PROJECTS } = process.env

// In Vitest 3, `workspace` names the projects too, or a file of that name does.
export default defineConfig({
  plugins: [cassettes()],
  test: PROJECTS === undefined ? {} : ({ [PROJECTS]: projects } as object),
})
