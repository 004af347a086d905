/** Carries the policy of the guard: as an environment variable to processes, as environment data to threads. */
export const GUARD_VARIABLE = 'VITEST_CASSETTE_GUARD'
