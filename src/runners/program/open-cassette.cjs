'use strict'

// By Node's own loader, which the main context has: that of Jest reads no ES module, and stands for Node's in its contexts.
const node = require('node:vm').runInThisContext('process')
const load = node.getBuiltinModule('node:module').createRequire(__filename)

try {
  module.exports = load('./open-cassette.mjs')
} catch (error) {
  if (error.code !== 'ERR_REQUIRE_ESM') throw error
  throw new Error(
    'vitest-cassette needs require() of ES modules, which this process has switched off.\n' +
      'Start Node without --no-experimental-require-module, also in NODE_OPTIONS.',
    { cause: error },
  )
}
