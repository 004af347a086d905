// For `--require`: a machine where the package is not installed.
const Module = require('node:module')
const load = Module._load
Module._load = function (name, ...rest) {
  if (name !== 'sharp') return load.call(this, name, ...rest)
  throw Object.assign(new Error("Cannot find module 'sharp'"), { code: 'MODULE_NOT_FOUND' })
}
