import { defineConfig } from 'vitest/config'

if (Number(process.versions.node.split('.')[0]) < 22) {
  throw new Error(
    `Node ${process.versions.node} runs this, but 22.12 is the oldest that can. Use "npm test".`,
  )
}

export default defineConfig({
  test: {
    // Tests and hooks of test/e2e spawn whole runs of Vitest, on whatever machine this is.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    globalSetup: ['test/e2e/install-package.ts'],
    // Most of the time they are waited for.
    maxWorkers: '100%',
    include: ['test/**/*.test.ts'],
    exclude: ['test/projects/**', 'test/.tmp/**', '**/node_modules/**'],
  },
})
