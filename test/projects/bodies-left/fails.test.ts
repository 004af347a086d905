import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { clients } from './clients.ts'

afterAll(() => delay(200))

test('fails before its stream has ended', async () => {
  await clients.fetch!('endless failure')
  expect('what it got').toBe('what it wanted')
})

test('asks late for a stream', () => {
  void delay(50).then(() => clients.fetch!('endless late'))
})

test('runs while it does', () => delay(200))

test('asks late for a stream when no test runs', () => {
  void delay(50).then(() => clients.fetch!('endless at the end'))
})

test('asks late for what never comes', () => {
  void delay(50).then(() => clients.fetch!('mute at the end'))
})
