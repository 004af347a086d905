// What loads when the first process is started: one file for all.
export { Gateway } from './gateway.ts'
