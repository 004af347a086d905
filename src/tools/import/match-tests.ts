/** What a recording tells about its test. */
export interface RecordingName {
  file: string
  name?: string | string[]
  testFile?: string
}

export interface TestName {
  /** Relative to the working directory, with slashes. */
  file: string
  titles: string[]
}

/** The tests of recordings. Each recording has one outcome, and no test has two recordings. */
export interface MatchedTests<Recording, Test> {
  found: Map<Recording, Test>
  /** Recordings that could be those of several tests, or of one that other recordings name too. */
  ambiguous: Map<Recording, Test[]>
  left: Recording[]
}

/** The keys of a recording, the most telling first, and those of tests that they are compared with. */
interface Rule {
  ofRecording(recording: RecordingName): string[]
  ofTest(test: TestName): string[]
  /** Whether keys fit that are not equal. */
  fits?(one: string, other: string): boolean
  /** The rule only holds for a test that is alone in its file. */
  isOfFile?: true
  /** What fits may do so by chance: a person has to choose. */
  isGuess?: true
}

/** The ways in which recordings name their tests. One that finds a test in one way is not looked for in the next. */
const RULES: readonly Rule[] = [
  { ofRecording: wholeNames, ofTest: wholeTitles },
  { ofRecording: pathNames, ofTest: wholeTitles },
  { ofRecording: lastNames, ofTest: lastTitle },
  { ofRecording: stemOf, ofTest: lastTitle },
  { ofRecording: allNames, ofTest: wholeTitles, fits: endsAlike },
  { ofRecording: allNames, ofTest: allTitles, fits: beginsAlike },
  { ofRecording: fileNames, ofTest: ({ file }) => [keyOf(stem(file))], isOfFile: true },
  { ofRecording: allNames, ofTest: endsOfTitles, fits: mayBegin, isGuess: true },
]

/** Finds the test of each recording by its titles, its file, its folder, or the name of its cassette. */
export function matchTests<Recording extends RecordingName, Test extends TestName>(
  recordings: readonly Recording[],
  tests: readonly Test[],
): MatchedTests<Recording, Test> {
  const found = new Map<Recording, Test>()
  const ambiguous = new Map<Recording, Test[]>()
  const taken = new Set<Test>()
  const counts = Map.groupBy(tests, ({ file }) => file)
  let open = [...recordings]
  for (const rule of RULES) {
    const isMeant = (test: Test): boolean =>
      rule.isGuess ? !taken.has(test) : !rule.isOfFile || counts.get(test.file)!.length === 1
    const candidates = candidatesBy(rule, open, tests.filter(isMeant))
    const named = new Map(
      open.flatMap((recording): Array<[Recording, Test[]]> => {
        const fitting = candidates(recording)
        return fitting.length > 0 ? [[recording, inItsFile(recording, fitting)]] : []
      }),
    )
    if (!rule.isGuess) settle(named, found, taken)
    for (const [recording, fitting] of named)
      if (!found.has(recording)) ambiguous.set(recording, fitting)
    open = open.filter((recording) => !named.has(recording))
  }
  return { found, ambiguous, left: open }
}

/** Gives each recording its test, where it names one alone that no other one names alone, until no more is told. */
function settle<Recording extends RecordingName, Test extends TestName>(
  named: ReadonlyMap<Recording, Test[]>,
  found: Map<Recording, Test>,
  taken: Set<Test>,
): void {
  for (;;) {
    const open = [...named].filter(([recording]) => !found.has(recording))
    const sure = open.flatMap(([recording, tests]): Array<[Recording, Test]> => {
      const free = tests.filter((test) => !taken.has(test))
      return free.length === 1 ? [[recording, free[0]!]] : []
    })
    const byTest = Map.groupBy(sure, ([, test]) => test)
    const pairs = [...byTest.values()].filter(({ length }) => length === 1).flat()
    if (pairs.length === 0) return
    for (const [recording, test] of pairs) {
      found.set(recording, test)
      taken.add(test)
    }
  }
}

function candidatesBy<Recording extends RecordingName, Test extends TestName>(
  { ofRecording, ofTest, fits }: Rule,
  recordings: readonly Recording[],
  tests: readonly Test[],
): (recording: Recording) => Test[] {
  if (recordings.length === 0) return () => []
  const byKey = new Map<string, Test[]>()
  for (const test of tests)
    for (const key of new Set(ofTest(test))) byKey.set(key, [...(byKey.get(key) ?? []), test])
  byKey.delete('')
  const lookUp = (key: string): Test[] => {
    if (!fits) return byKey.get(key) ?? []
    return [...byKey].flatMap(([other, found]) => (fits(key, other) ? found : []))
  }
  return (recording) => {
    for (const key of ofRecording(recording)) {
      const found = lookUp(key)
      if (found.length > 0) return [...new Set(found)]
    }
    return []
  }
}

/** Of several tests, those in the file that the recording names, or whose name stands in its path. */
function inItsFile<Test extends TestName>(recording: RecordingName, tests: Test[]): Test[] {
  if (tests.length === 1) return tests
  const named = new Set([recording.testFile ?? '', ...recording.file.split('/')].map(keyOfFile))
  const own = tests.filter(({ file }) => named.has(keyOfFile(file)))
  return own.length > 0 ? own : tests
}

function keyOfFile(path: string): string {
  return keyOf(stem(path))
}

/** Letters and digits: tools replace all else, each in its own way. */
function keyOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

/** The name of a file without its folder and its endings. */
function stem(path: string): string {
  return path
    .split(/[/\\]/)
    .at(-1)!
    .replace(
      /(?:\.(?:test|spec|cassette|nock|snap|chunks|har|[cm]?[jt]sx?|py|json|jsonl|ya?ml|txt))+$/i,
      '',
    )
}

/** The names that say nothing: those of the one file in a folder. */
const EMPTY =
  /^(?:recordings?|cassettes?|fixtures?|index|default|output|requests?|nocks?|hars?|mocks?)$/

/** The pieces of a path without their endings, and without the hash that Polly adds to each. */
function piecesOf(path: string): string[] {
  const folders = path.split(/[/\\]/).slice(0, -1)
  return [...folders, stem(path)]
    .map((piece) => piece.replace(/[_-]\d{6,}$/, ''))
    .filter((piece) => piece !== '' && piece !== '.' && !EMPTY.test(piece.toLowerCase()))
}

function namesOf({ name }: RecordingName): string[] {
  return name === undefined ? [] : [name].flat()
}

function wholeNames(recording: RecordingName): string[] {
  return namesOf(recording).length > 0 ? [keyOf(namesOf(recording).join(' '))] : []
}

function lastNames(recording: RecordingName): string[] {
  const names = namesOf(recording)
  return names.length > 1
    ? [keyOf(names.at(-1)!)]
    : names.flatMap((name) => name.split('/').at(-1)!).map(keyOf)
}

/** The ends of the path, the longest first: folders can be suites, and files tests. */
function pathNames({ file }: RecordingName): string[] {
  const pieces = piecesOf(file)
  return pieces.map((_, index) => keyOf(pieces.slice(index).join(' ')))
}

function stemOf({ file }: RecordingName): string[] {
  return piecesOf(file).slice(-1).map(keyOf)
}

function allNames(recording: RecordingName): string[] {
  return [...wholeNames(recording), ...pathNames(recording)]
}

function fileNames({ file, testFile }: RecordingName): string[] {
  return [
    ...(testFile === undefined ? [] : [keyOfFile(testFile)]),
    ...piecesOf(file).map(keyOf).reverse(),
  ]
}

function wholeTitles({ file, titles }: TestName): string[] {
  const whole = titles.join(' ')
  return [keyOf(whole), keyOf(`${stem(file)} ${whole}`)]
}

function lastTitle({ titles }: TestName): string[] {
  return titles.slice(-1).map(keyOf)
}

function allTitles(test: TestName): string[] {
  return [...wholeTitles(test), ...lastTitle(test)]
}

/** The titles from each suite on. */
function endsOfTitles({ titles }: TestName): string[] {
  return titles.map((_, index) => keyOf(titles.slice(index).join(' ')))
}

/** Shorter pieces are the end or the beginning of others by chance. */
const MIN_PIECE = 16

/** Whether one ends with the other: a suite around all of them stands in one of the two alone. */
function endsAlike(one: string, other: string): boolean {
  return isLong(one, other) && (one.endsWith(other) || other.endsWith(one))
}

/** Whether one begins with the other: names of files are cut. */
function beginsAlike(one: string, other: string): boolean {
  return isLong(one, other) && other.startsWith(one)
}

/** Shorter names are words of any title. */
const MIN_WORD = 4

function mayBegin(one: string, other: string): boolean {
  return one.length >= MIN_WORD && other.startsWith(one)
}

function isLong(one: string, other: string): boolean {
  return Math.min(one.length, other.length) >= MIN_PIECE
}
