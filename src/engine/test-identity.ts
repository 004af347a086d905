/** The test that a session belongs to, as messages show it. */
export interface TestIdentity {
  /** `<test file> > <suite> > <test>`. */
  id: string
  /** The path of the cassette, from where the user stands. */
  cassette: string
  /** The folder of its images, from where the user stands. */
  blobs: string
  /** The folder of pictures that nothing answers, from where the user stands. */
  asked: string
  /** The command that records this test, and no other, again. */
  recordCommand: string
}
