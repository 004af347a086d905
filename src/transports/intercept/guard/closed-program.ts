// Loaded by the guard of a process or thread whose test may send nothing out of this machine.
export { guardOtherWays } from './closed-ways.ts'
export { closedConnection, isOutside } from './this-machine.ts'
