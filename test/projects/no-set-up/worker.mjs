import { init, runBaseTests, setupEnvironment } from 'vitest/worker'

const run = (method) => (state, traces) => {
  state.config.setupFiles = []
  return runBaseTests(method, state, traces)
}

init({
  post: (message) => process.send(message),
  on: (listener) => process.on('message', listener),
  off: (listener) => process.off('message', listener),
  setup: setupEnvironment,
  runTests: run('run'),
  collectTests: run('collect'),
})
