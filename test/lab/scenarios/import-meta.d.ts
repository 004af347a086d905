interface ImportMeta {
  /** What Vitest puts in the place of the one that Vite compiles. */
  readonly env: Record<string, string | undefined>
}
