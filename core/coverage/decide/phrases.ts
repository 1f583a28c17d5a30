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
