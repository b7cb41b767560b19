const WEIGHTS = [2, 7, 6, 5, 4, 3, 2, 1]

/** 'dk 38 29 10 44' becomes '38291044': drops spaces and a DK prefix. */
export function cleanCvr(text: string): string {
  return text.replaceAll(/\s/g, '').replace(/^dk/i, '')
}

/** Whether a text is eight digits, not all zero, whose weighted sum is divisible by 11. */
export function isCvr(cvr: string): boolean {
  if (!/^\d{8}$/.test(cvr) || cvr === '00000000') return false
  const sum = WEIGHTS.reduce((total, weight, index) => total + weight * Number(cvr[index]), 0)
  return sum % 11 === 0
}
