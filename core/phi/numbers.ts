/** The digits of a match, whatever stands between them. */
export const digitsOf = (text: string): string => text.replace(/\D/g, "")

/** Whether the ten digits pass as a National Provider Identifier: Luhn's sum after the prefix 80840. */
export const isNpi = (digits: string): boolean => {
  if (digits.length !== 10) return false
  let sum = prefixSum
  for (let index = 0; index < 10; index++) {
    const digit = Number(digits[index])
    const doubled = index % 2 === 0 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** What 80840 adds to the sum of any number of ten digits after it. */
const prefixSum = 24
