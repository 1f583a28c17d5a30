const month = "(?:january|february|march|april|may|june|july|august|september|october|november|december)"
/** A day, or a month of a year. */
export const date = new RegExp(
  String.raw`\b(?:${month}(?: \d{1,2},?)? (?:19|20)\d{2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})|` +
    String.raw`\d{4}-\d{2}-\d{2}|\d{1,2}/(?:19|20)\d{2})\b`,
  "gi"
)
/** An address on the web. */
export const url = /\b(?:https?:\/\/|www\.)[^\s)>,;]*[^\s)>,;.]/gi

/** A section, chapter, part or publication with its number. */
export const sectionNumber = new RegExp(
  String.raw`(?:\b(?:sections?|chapters?|parts?|pub(?:lication)?s?\.?|transmittals?|change requests?|cr|` +
    String.raw`cim|volumes?|pages?|items?|no\.)|§+) ?#?\d[\w.-]*(?:\([a-z0-9]{1,4}\))*` +
    String.raw`(?:(?:,| and|,? or|-) ?§*\d[\w.-]*(?:\([a-z0-9]{1,4}\))*)*`,
  "gi"
)
/** `42 CFR 410.37`. */
export const lawCitation =
  /\b\d+ (?:cfr|c\.f\.r\.|u\.?s\.?c\.?)(?: (?:§+|parts?|sections?))? ?\d[\d.]*(?:\([a-z0-9]+\))*/gi
/** `L33718`, `NCD 220.4`. */
export const documentNumber = /\b(?:(?:lcd|ncd|article) ?)?(?:D?[AL]\d{5}\b|ncd \d{1,3}(?:\.\d{1,2})+)/gi
/** The name of a manual of CMS. */
export const manual = new RegExp(
  String.raw`\b(?:(?:medicare )?(?:national coverage determinations?|benefit policy|claims processing|program ` +
    String.raw`integrity|secondary payer|ncd|coverage issues)(?: \((?:ncd|bpm|cpm|pim|mcpm|mbpm)\))? manuals?|` +
    String.raw`internet[- ]only manuals?)(?: \(ioms?\))?`,
  "gi"
)

/** The title of a document with its id after it: `LCD for Facet Joint Interventions (L38803)`. */
export const titledDocument = new RegExp(
  String.raw`\b(?:[Ll]ocal [Cc]overage [Dd]etermination|LCD)(?: \(LCD\))?,? (?:for|entitled|titled) ["“]?` +
    String.raw`(?:(?:[A-Z][\w/-]*|of|the|and|for|in|to)["”]?[ ,]+){1,14}\(?L\d{5}\)?`,
  "g"
)

const modifierList = "(?:(?:[A-Z]{2}|[A-Z]\\d|\\d{2})(?:, (?:and |or )?| and | or |/)?)+"

/** The modifier that an instruction adds to a claim; `for codes with modifier KX` is a restriction. */
const modifierCodes = new RegExp(
  String.raw`\b(?:[Aa]ppend|[Uu]se|[Aa]dd|[Rr]eport|[Ss]ubmit|[Bb]ill|[Aa]ttach|[Ii]nclude|[Ee]nter)(?: the| with| ` +
    String.raw`HCPCS| CPT| appropriate)* (?:modifiers? ${modifierList}(?!\w)|${modifierList} modifiers?\b)|` +
    String.raw`^(?:[Tt]he )?(?:${modifierList} modifiers?|[Mm]odifiers? ${modifierList}) (?:must|should|is|are)\b`,
  "g"
)

const actor = "(?:providers?|suppliers?|physicians?|practitioners?)"
const ordering =
  "(?:ordering|referring|rendering|treating|billing)(?:/(?:ordering|referring|rendering|treating))*"

/** Who fills in a claim or is named on it; whoever treats or uses something is a condition. */
const actorPhrase = new RegExp(
  String.raw`\b(?:names?|npis?)(?: and (?:names?|npis?))? of (?:the |an? )?${ordering} ${actor}\b|` +
    String.raw`\b(?:services|items|codes) requiring (?:the |an? )?${ordering} ${actor}\b|` +
    String.raw`\b(?:the )?responsibility of the ${actor}\b|\b${actor}['’]s? responsibility\b|` +
    String.raw`\breturned to the ${actor}\b|` +
    String.raw`^(?:the )?${actor} (?:must|should|may|shall) (?=(?:bill|report|submit|append|code|enter)\b)`,
  "gi"
)

/** Codes and modifiers are used on a claim; a device or a drug is used on a patient. */
const usePhrase = new RegExp(
  String.raw`\bus(?:e|es|ed|ing) (?:the |an? |this |these )?(?:appropriate |correct |valid |applicable )*` +
    String.raw`(?=(?:modifiers?|codes?|icd-?10|cpt|hcpcs|diagnosis codes?|place of service|revenue codes?|forms?)\b)`,
  "gi"
)

/** Phrases of instructions about claims, each accounted for as a whole (coverage-domain §2.1, L1). */
export const claimPhrases: ReadonlyArray<RegExp> = [
  // First, because the others would remove a part of these.
  actorPhrase,
  usePhrase,

  url,
  date,
  titledDocument,
  /\b(?:dates?|place|units?) of service\b/gi,
  /\b(?:type of bill|bill types?|revenue codes?|line items?|units? fields?)\b/gi,
  /\b(?:the )?(?:number|quantity) of (?:units?|services)\b/gi,
  /\bon (?:the )?same claim(?: form| line)?\b/gi,
  /\b(?:on|as) (?:a )?separate (?:claims?|(?:claim )?lines?)\b/gi,
  /\b(?:when|prior to|before) (?:billing|reporting|submitting|coding)(?: (?:to )?medicare)?\b/gi,
  /\bwhen (?:billed|reported|submitted)(?: to medicare)?\b/gi,
  /\b(?:if|when|where|as) (?:applicable|appropriate|available)\b/gi,
  /\bhighest (?:level|degree) of (?:specificity|accuracy|certainty)\b/gi,
  /\b(?:item|box|block|field|loop|segment|fl|form locator)s? ?#?\d{1,4}[A-Za-z]?\b/gi,
  /\bsocial security act\b/gi,
  /\bto the year in which the service is rendered\b/gi,
  /\bpresent on (?:the |each |every )?claims?\b/gi,
  sectionNumber,
  modifierCodes
]
