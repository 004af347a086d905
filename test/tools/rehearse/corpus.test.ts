import { expect, test } from 'vitest'
import { PriceTable } from '../../../src/conversation/cost.ts'
import { compareBehaviour } from '../../../src/tools/rehearse/compare-behaviour.ts'
import { readQuestions } from '../../../src/tools/rehearse/questions.ts'
import { eachCorpus } from '../../corpus.ts'
import { corpusCassettes } from '../../corpus-cassettes.ts'
import { translate } from '../../../src/tools/rehearse/other-dialect.ts'

eachCorpus((corpus) => {
  const read = corpusCassettes(corpus).map((cassette) =>
    readQuestions('a.json', cassette, new PriceTable()),
  )
  const questions = read.flatMap((one) => one.questions)
  const leftOut = read.flatMap((one) => one.leftOut)

  test('every real answer behaves as itself', () => {
    for (const { before, schema } of questions)
      expect(compareBehaviour(before, before, schema)).toEqual({ differences: [], isWords: false })
    console.log(`${questions.length} answers can be asked again, ${leftOut.length} are left out`)
    expect(questions.length).toBeGreaterThan(0)
  })

  test('every real prompt is handed over to other providers, or says why not', () => {
    for (const { request, schema } of questions)
      for (const path of ['chat/completions', 'messages']) {
        const handed = translate(request, 'other', `https://llm.example.com/v1/${path}`, schema)
        expect('why' in handed ? handed.why : handed.request.method).toMatch(/^POST$|^it /)
      }
  })
})
