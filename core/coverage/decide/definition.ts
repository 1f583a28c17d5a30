import { anyOf } from "./anyOf.ts"
import { people } from "./vocabulary.ts"

/** Returns whether the sentence only defines a term (coverage-domain §2.1, L1). */
export const isDefinition = (sentence: string): boolean =>
  definition.test(sentence) && !limiting.test(sentence) && !people.test(sentence) && !located.test(sentence)

/** `A monitor is defined as a device that shows a value`. */
const definition = /\b(?:(?:is|are) defined as|refers to|the term\b.{0,60}\bmeans)\b/i

/** Who is treated, who treats, and where: a definition of these says whom or what a policy covers. */
const located = anyOf(
  String.raw`\b(?:candidates?|persons?|individuals?|recipients?|members?|subjects?|those who|indications?)\b`,
  String.raw`\b(?:physicians?|practitioners?|providers?|suppliers?|specialists?|\w+ologists?|surgeons?|nurses?)\b`,
  String.raw`\b(?:homes?|offices?|hospitals?|clinics?|facilit(?:y|ies)|centers?|(?:in|out)-?patients?|settings?)\b`
)

/** Anything that could make a definition a limit: a number, a negation, a time, a second clause. */
const limiting = anyOf(
  String.raw`\d|[,;:()–—<>=≥≤%]| - |\b(?:but|however|and|or) (?:is|are|the|an?|it|its)\b`,
  String.raw`\b(?:one|two|three|four|five|six|once|twice|first|second|initial|repeat\w*|another|per|every|each)\b`,
  String.raw`\b(?:day|week|month|year|hour|minute)s?\b|\b(?:daily|weekly|monthly|yearly|annual\w*)\b`,
  String.raw`\b(?:no|not|never|none|nor|neither|cannot|without|except\w*|exclu\w*|den(?:y|ies|ied|ial))\b|n['’]t\b`,
  String.raw`\b(?:must|shall|should|only|unless|if|when|where|until|within|after|before|prior|provided|in order)\b`,
  String.raw`\b(?:requir\w*|limit\w*|restrict\w*|criteri\w*|eligib\w*|qualif\w*|cover\w*|payable|paid|necessary)\b`,
  String.raw`\b(?:more|less|fewer|least|most|maximum|minimum|exceed\w*|up to|fail\w*)\b`
)
