export default {
  testEnvironment: 'vitest-cassette/jest',
  testMatch: ['**/*.spec.?(m|c)js'],
  moduleFileExtensions: ['js', 'mjs', 'cjs', 'json'],
  transform: {},
}
