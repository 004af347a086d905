import { setTimeout as delay } from 'node:timers/promises'
import { test } from 'vitest'

test('ends before its telemetry', () => {
  void delay(30).then(() => fetch('https://late.invalid/batch').catch(() => {}))
})

test('runs meanwhile', () => delay(150))
