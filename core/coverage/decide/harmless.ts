import { anyOf } from "./anyOf.ts"
import { isDefinition } from "./definition.ts"
import { isInstruction } from "./instruction.ts"
import { date, documentNumber, lawCitation, manual, sectionNumber, titledDocument, url } from "./phrases.ts"
import { grammarWords, unreadWords, wordSet } from "./vocabulary.ts"

/**
 * Returns whether the sentence belongs to a class that states no condition of coverage (coverage-domain §2.1,
 * L1): a claim instruction, a citation, a revision note, a report of a study. A class accounts for every word
 * of the sentence; a harmless beginning never excuses the rest.
 */
export const isHarmless = (sentence: string): boolean =>
  notApplicable.test(sentence) ||
  boilerplate.test(sentence) ||
  modifierMeaning.test(sentence) ||
  isDefinition(sentence) ||
  isInstruction(sentence) ||
  classes.some((one) => accountsFor(one, sentence))

/** A class of sentences: what marks one, and every word and phrase that it may contain. */
interface HarmlessClass {
  /** Matches every sentence of the class. */
  readonly mark: RegExp
  /** Phrases whose single words would state a limit elsewhere, such as `date of service`. */
  readonly phrases: ReadonlyArray<RegExp>
  readonly words: ReadonlySet<string>
}

const accountsFor = ({ mark, phrases, words }: HarmlessClass, sentence: string): boolean =>
  mark.test(sentence) &&
  unreadWords(
    phrases.reduce((rest, phrase) => rest.replaceAll(phrase, " "), sentence),
    words
  ).length === 0

const notApplicable = /^(?:n\/?a|none|(?:xx000\s+)?not applicable)\.?$/i

/** Sentences that contractors repeat word for word, matched whole. */
const boilerplate = anyOf(
  "^the following lists include only those diagnoses for which the identified cpt/hcpcs procedures are " +
    String.raw`covered\.?$`,
  "^if a covered diagnosis is not on the claim, the edit will automatically deny the service" +
    String.raw`(?: as not medically necessary)?\.?$`,
  String.raw`^the (?:[\w-]+ ){0,3}codes?(?:\(s\))? must best describe the (?:patient|beneficiary)['’]s ` +
    String.raw`condition(?:\(s\))? for which the (?:service|test|procedure|item)(?:\(s\)|s)? ` +
    String.raw`(?:was|were|is|are) (?:performed|rendered|provided|ordered)\.?$`,
  String.raw`^(?:a )?claims? submitted without an? (?:valid )?(?:icd-?10(?:-cm)? )?(?:diagnosis )?codes? will be ` +
    String.raw`returned to the provider as an incomplete claim(?: under section 1833\(e\) of the social ` +
    String.raw`security act)?\.?$`,
  String.raw`^(?:complete )?absence of (?:a|all) (?:bill types?|revenue codes?) (?:does not guarantee|indicates) ` +
    String.raw`that (?:the|coverage is not influenced by (?:bill type|revenue code) and the) (?:policy|article) ` +
    String.raw`(?:does not apply to that (?:bill type|revenue code)|should be assumed to apply equally to all ` +
    String.raw`(?:claims|revenue codes))\.?$`
)

const side = String.raw`side(?: \(used to identify procedures performed on the (?:left|right) side of the body\))?`

/** Modifiers with what HCPCS says of them, word for word. */
const modifierMeaning = new RegExp(
  "^(?:" +
    [
      String.raw`GA ?[-–—:] waiver of liability (?:statement\s+)?(?:on file )?issued,? as required by payer policy` +
        "(?:, individual case)?",
      "GX ?[-–—:] notice of liability issued, voluntary under payer policy",
      "GY ?[-–—:] (?:item or service )?statutorily excluded(?:,? (?:or )?does(?: not|n['’]t) meet the definition " +
        "of any medicare benefit(?: category)?)?",
      "GZ ?[-–—:] (?:item or service )?expected to be denied as not reasonable and necessary",
      "KX ?[-–—:] requirements specified in the medical policy have been met",
      "EY ?[-–—:] no physician or other (?:licensed )?health care provider order for this item or service",
      `LT ?[-–—:] left ${side}|RT ?[-–—:] right ${side}`
    ].join("|") +
    String.raw`)\.?$`,
  "i"
)

/** A sentence that begins with these is about those who are treated, not about a study. */
const enrolled = "patients|participants|subjects|beneficiaries|adults|children|women|men"

const studyReport = new RegExp(
  "^(?:the |these |those |a total of |several |many |some |both |all |published |recent |an? )*" +
    String.raw`(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten)? ?` +
    String.raw`(?:(?!(?:in|of|for|with|who|${enrolled})\b)[a-z-]+,? (?:and )?){0,6}` +
    "(?:trials?|stud(?:y|ies)|reviews?|meta-analys[ie]s|articles|publications|reports|guidelines)" +
    String.raw`\b.*\b(?:was|were) (?:reviewed|identified|evaluated|analyzed|assessed|found|included|published|` +
    String.raw`searched|considered|examined|retrieved)\b`,
  "i"
)

const classes: ReadonlyArray<HarmlessClass> = [
  {
    mark: anyOf(
      String.raw`§|\bsections? \d|\btitle xviii\b|\bcfr\b|\bfederal register\b|\bpub(?:lication)?\.? ?100\b`,
      String.raw`\bmanuals?\b|\btransmittal\b|\bchange request\b|\bcim \d|\bsocial security act\b`
    ),
    phrases: [
      url,
      date,
      lawCitation,
      manual,
      /\binternet[- ]only\b/gi,
      /\b(?:title (?:xviii|18) of the )?social security act(?: \(the act\)| \(ssa\))?/gi,
      sectionNumber,
      documentNumber
    ],
    words: wordSet(
      "the of and in or to also at by under cms iom medicare manual manuals publication act title xviii",
      "code federal regulations register cross reference references",
      "note as amended explains this",
      "list"
    )
  },
  {
    mark: /\b1833\(e\)/i,
    phrases: [sectionNumber],
    words: wordSet(
      grammarWords,
      "section title xviii social security act prohibits prohibit medicare payment claim claims lacks lack",
      "necessary information process"
    )
  },
  {
    mark: anyOf(
      String.raw`\blast (?:reviewed|updated|revised)\b|^\(?rev(?:ision)?s?\b|^revised\b`,
      String.raw`\brevision (?:effective date|history)\b|^(?:issued|implementation|effective)(?: date)?:`
    ),
    phrases: [
      url,
      date,
      sectionNumber,
      /\brev\.? ?\d{2,5}/gi,
      /\bgroups? \d+\b/gi,
      /\b(?:effective|implementation) dates?\b/gi,
      documentNumber
    ],
    words: wordSet(
      "the this of on to in for and please note",
      "ncd lcd article policy determination was is were last reviewed",
      "updated revised revision revisions history number",
      "rev date dates issued implementation effective annual",
      "quarterly update updates code codes descriptor descriptors icd in group groups long short"
    )
  },
  {
    mark: /\bdiagnosis codes are based on the current\b/i,
    phrases: [],
    words: wordSet(
      grammarWords,
      "diagnosis code codes based current effective time lcd article policy publication cm"
    )
  },
  {
    mark: /\bcopyright\b|\bregistered trademark\b|\ball rights reserved\b/i,
    phrases: [/\bdata only\b/gi, /\b(?:19|20)\d{2}\b/g],
    words: wordSet(
      grammarWords,
      "code codes descriptions other data copyright american medical dental hospital association ama ada aha",
      "rights reserved registered trademark current procedural terminology cdt fars dfars apply applicable"
    )
  },
  {
    mark: /\b(?:coinsurance|deductibles?|copayments?|cost[- ]sharing)\b/i,
    phrases: [/\bdo(?:es)? not apply\b/gi, /\bpart [abd]\b/gi],
    words: wordSet(
      grammarWords,
      "medicare coinsurance deductible deductibles copayment copayments",
      "cost sharing usual waived apply applies",
      "applied applicable preventive service services test tests screening benefit additional beneficiary"
    )
  },
  {
    mark: /^(?:this (?:billing and coding )?|the information in this )article\b/i,
    phrases: [titledDocument, documentNumber],
    words: wordSet(
      grammarWords,
      "billing coding article contains gives",
      "provides complements complement supplements supplement guideline",
      "guidelines guidance other information instructions local coverage determination determinations lcd",
      "related associated companion"
    )
  },
  {
    mark: /\binternet\b|\bweb ?sites?\b|\blinks?\b|https?:|\bcovered code lists?\b/i,
    phrases: [url, /\bscroll down\b/gi, /\bcovered code lists?\b/gi, /\bcoverage database\b/gi],
    words: wordSet(
      grammarWords,
      "use internet address addresses access view find found",
      "go visit web site website sites link links click",
      "quarterly code codes list lists including narrative",
      "cms medicare mcd available located posted information",
      "manual manuals article articles lcd lcds ncd ncds database page for"
    )
  },
  {
    mark: studyReport,
    phrases: [/\b\d[\d,]*\b/g],
    words: wordSet(
      grammarWords,
      "one two three four five six seven eight nine ten several many some total number",
      "randomized randomised controlled clinical prospective retrospective observational cohort double-blind",
      "double blind placebo-controlled placebo open-label open label multicenter multicentre single-arm arm",
      "comparative case series systematic meta-analysis meta-analyses meta analysis analyses pilot pivotal",
      "trial trials study studies review reviews article articles publication publications report reports",
      "guideline guidelines literature evidence published recent relevant peer-reviewed peer data database",
      "patients participants subjects adults children women",
      "men enrolled enrolling involving including included",
      "reviewed identified evaluated analyzed assessed found",
      "searched considered examined retrieved pubmed medline",
      "embase cochrane between through comparing compared versus about than more"
    )
  }
]
