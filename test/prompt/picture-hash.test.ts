import fc from 'fast-check'
import { expect, test } from 'vitest'
import { averageHash, hammingDistance, perceptualHash } from '../../src/prompt/picture-hash.ts'

const picture = fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 1_024, maxLength: 1_024 })
const bits = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })

test.for([
  ['perceptual', perceptualHash],
  ['average', averageHash],
] as const)('the %s hash has 64 bits and hangs on the pixels alone', ([, hashOf]) => {
  fc.assert(
    fc.property(picture, (grey) => {
      const hash = hashOf(grey)
      expect(hash >= 0n && hash < 2n ** 64n).toBe(true)
      expect(hashOf(Float64Array.from(grey))).toBe(hash)
    }),
    { numRuns: 30 },
  )
})

test('brightness leaves both hashes as they are, and contrast the average one', () => {
  fc.assert(
    fc.property(picture, fc.integer({ min: 1, max: 64 }), (grey, more) => {
      const brighter = grey.map((value) => value + more)
      const paler = grey.map((value) => value / 4 + more)
      expect(averageHash(paler)).toBe(averageHash(grey))
      // The one wave that may differ is the brightness itself.
      expect(hammingDistance(perceptualHash(brighter), perceptualHash(grey))).toBeLessThan(2)
    }),
    { numRuns: 30 },
  )
})

test('pictures that have nothing in common differ in about half of the bits', () => {
  const noise = (seed: number): number[] =>
    fc.sample(picture, { seed, numRuns: 1 })[0]!.map((value, at) => (value * 7 + at * seed) % 256)
  for (const hashOf of [perceptualHash, averageHash]) {
    const distance = hammingDistance(hashOf(noise(3)), hashOf(noise(11)))
    expect(distance).toBeGreaterThan(16)
  }
})

test('a plain picture has one hash whatever its colour', () => {
  const plain = (value: number): number[] => Array.from({ length: 1_024 }, () => value)
  for (const value of [1, 77, 254]) {
    expect(averageHash(plain(value))).toBe(averageHash(plain(0)))
    // Its one wave is its brightness.
    expect(hammingDistance(perceptualHash(plain(value)), perceptualHash(plain(0)))).toBe(1)
  }
})

test('the average hash tells field by field where it is light', () => {
  const half = Array.from({ length: 1_024 }, (_, at) => (at < 512 ? 255 : 0))
  expect(averageHash(half).toString(16)).toBe('ffffffff00000000')
})

test('the distance is a metric', () => {
  fc.assert(
    fc.property(bits, bits, bits, (one, two, three) => {
      expect(hammingDistance(one, one)).toBe(0)
      expect(hammingDistance(one, two)).toBe(hammingDistance(two, one))
      expect(hammingDistance(one, three)).toBeLessThanOrEqual(
        hammingDistance(one, two) + hammingDistance(two, three),
      )
      expect(hammingDistance(one, one ^ 5n)).toBe(2)
    }),
  )
})
