import { builtin } from './builtin.ts'
import { inRealWorld } from './real-world.ts'

// Wings that tests load ask no other: a test can fake the functions of `node:os`.
export const homedir = (): string => inRealWorld(() => builtin('node:os').homedir())
export const hostname = (): string => inRealWorld(() => builtin('node:os').hostname())
export const tmpdir = (): string => inRealWorld(() => builtin('node:os').tmpdir())
export const networkInterfaces: typeof import('node:os').networkInterfaces = () =>
  inRealWorld(() => builtin('node:os').networkInterfaces())
