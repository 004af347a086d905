/** The test that a session belongs to, as messages show it. */
export interface TestIdentity {
  /** `<test file> > <suite> > <test>`. */
  id: string
  /** The path of the cassette, relative to the root of the project. */
  cassette: string
  /** The folder of its images, relative to the root of the project. */
  blobs: string
  /** The folder of pictures that nothing answers, relative to the root of the project. */
  asked: string
  /** The command that records this test, and no other, again. */
  recordCommand: string
}
