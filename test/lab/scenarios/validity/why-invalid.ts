import { configureCassettes } from 'vitest-cassette'

const { WHY } = process.env

if (WHY === 'runs') {
  configureCassettes({
    whyInvalid: ({ test, runs }) =>
      test.includes('often') && runs ? `used ${runs.attempts} times` : undefined,
  })
} else if (WHY) {
  configureCassettes({
    whyInvalid: () => {
      throw new Error(WHY)
    },
  })
}
