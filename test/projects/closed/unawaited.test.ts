import { afterAll, test } from 'vitest'

const timer = setInterval(() => void fetch('https://background.invalid/beat').catch(() => {}), 20)
afterAll(() => clearInterval(timer))

test('runs beside the telemetry of its module', () => new Promise((done) => setTimeout(done, 60)))
