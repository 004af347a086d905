// Modules that Vitest has before version 5 alone.

declare module 'vitest/runners' {
  export const VitestTestRunner: object
}

declare module 'vitest/suite' {
  export const getHooks: unknown
}
