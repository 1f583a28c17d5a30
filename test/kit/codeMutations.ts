/** Texts that callers send instead of a code: mutations of valid codes, none of which is a code itself. */

const each = (
  codes: ReadonlyArray<string>,
  write: (code: string) => ReadonlyArray<string>
): ReadonlyArray<string> => [...new Set(codes.flatMap((code) => write(code).filter((text) => text !== code)))]

const inScript = (zero: number) => (code: string) =>
  code.replace(/[0-9]/g, (digit) => String.fromCodePoint(zero + Number(digit)))
const arabic = inScript(0x660)
const devanagari = inScript(0x966)

const around = (code: string): ReadonlyArray<string> => [
  `${code}.`,
  `${code},`,
  `${code};`,
  `(${code})`,
  `"${code}"`,
  `#${code}`,
  `${code}!`,
  `code ${code}`,
  `${code} (left)`,
  `${code}/${code}`,
  arabic(code),
  devanagari(code),
  code.replace("0", "O"),
  code.replace("1", "l"),
  code.replace("E", "\u0415")
]

export const procedures: ReadonlyArray<string> = ["64635", "K0823", "0627T", "E0601"]

export const procedureMutations = each(procedures, (code) => [
  ...around(code),
  `${code}${code}`,
  `${code}NU`,
  `${code}-50`,
  `${code} 59`,
  `${code}-25-59`,
  `${code}:RT`,
  `${code},LT`,
  `${code}-64636`,
  `${code} to 64636`,
  `${code}\u201364636`,
  `${code};64636`,
  `${code},64636`,
  `${code} and 64636`,
  `CPT ${code}`,
  `HCPCS:${code}`,
  `${code.slice(0, 2)} ${code.slice(2)}`,
  `${code.slice(0, 4)}-${code.slice(4)}`,
  code.slice(0, 4),
  `${code}99`
])

export const diagnoses: ReadonlyArray<string> = ["I10", "E11.9", "M17.11", "S72.302A"]

export const diagnosisMutations = each(diagnoses, (code) => [
  ...around(code),
  code.replaceAll(".", ",").concat(","),
  `${code}-E11.65`,
  `${code} - E11.65`,
  `${code},E11.65`,
  `${code};E11.65`,
  `${code}|E11.65`,
  `ICD10 ${code}`,
  `ICD-10-CM: ${code}`,
  `DX ${code}`,
  `${code} hypertension`,
  `${code}*`,
  `${code.slice(0, 3)}.-`,
  `${code.slice(0, 3)}..${code.slice(4)}9`,
  `${code.slice(0, 2)}.${code.slice(2)}`,
  code.slice(0, 2),
  "250.00",
  "64635"
])

export const modifierMutations: ReadonlyArray<string> = [
  ..."5 595 LT,RT 59,GP 59;GP 59/GP 59-GP -59 59. (59) 5-9 64635-50 64635 A #RT".split(" "),
  ...["LT RT", "modifier 59", "5 9", "\u0665\u0669", "R\u0422", "LTRT"]
]

/** The same code in writings that every operation accepts. */
export const writings = (code: string): ReadonlyArray<string> => [
  code.toLowerCase(),
  ` ${code} `,
  `\t${code}\n`,
  `\u00a0${code}\u3000`,
  `\u200b${code.slice(0, 2)}\u2060${code.slice(2)}\ufeff`,
  code.replace(/[!-~]/g, (one) => String.fromCodePoint((one.codePointAt(0) ?? 0) + 0xfee0))
]
