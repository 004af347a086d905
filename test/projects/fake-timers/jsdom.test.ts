import './timers.ts'
