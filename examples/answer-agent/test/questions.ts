/** A conversation that is longer than a chat remembers. */
export const QUESTIONS = [
  'Which planet is the largest?',
  'How many moons does it have?',
  'Which of them is the largest?',
  'Who discovered it?',
  'Could there be life on it?',
  'Which mission will look?',
  'When does it arrive?',
] as const
