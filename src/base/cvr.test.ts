import { expect, it } from 'vitest'
import { cleanCvr, isCvr } from './cvr.ts'

it.each([
  ['10150817', true],
  ['88146328', true],
  ['10150818', false],
  ['00000000', false],
  ['1015081', false],
  ['101508170', false],
  ['1015081a', false],
  ['', false],
])('whether %j is a CVR number: %s', (cvr, answer) => {
  expect(isCvr(cvr)).toBe(answer)
})

it.each([
  ['10150817', '10150817'],
  [' 10 15 08 17 ', '10150817'],
  ['DK10150817', '10150817'],
  ['dk 10150817', '10150817'],
  ['10\u00a0150\u00a0817', '10150817'],
])('cleans the CVR number %j to %j', (text, cvr) => {
  expect(cleanCvr(text)).toBe(cvr)
})
