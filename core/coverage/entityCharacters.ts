/** The named entities that coverage documents use; an unknown name stays as it is written. */
export const entityCharacters: Readonly<Record<string, string>> = {
  amp: "&", lt: "<", gt: ">", quot: "\"", apos: "'", nbsp: " ", ensp: " ", emsp: " ", thinsp: " ", shy: "",
  zwnj: "", zwj: "", lsquo: "\u2018", rsquo: "\u2019", sbquo: "\u201a", ldquo: "\u201c", rdquo: "\u201d",
  bdquo: "\u201e", laquo: "«", raquo: "»", ndash: "–", mdash: "—", hellip: "…", bull: "•", middot: "·",
  dagger: "†", Dagger: "‡", permil: "‰", prime: "′", Prime: "″", trade: "™", reg: "®", copy: "©", deg: "°",
  plusmn: "±", times: "×", divide: "÷", minus: "−", le: "≤", ge: "≥", ne: "≠", asymp: "≈", equiv: "≡",
  infin: "∞", radic: "√", sum: "∑", micro: "µ", sect: "§", para: "¶", ordf: "ª", ordm: "º", sup1: "¹",
  sup2: "²", sup3: "³", frac12: "½", frac14: "¼", frac34: "¾", cent: "¢", pound: "£", euro: "€", yen: "¥",
  iexcl: "¡", iquest: "¿", not: "¬", larr: "←", rarr: "→", uarr: "↑", darr: "↓", harr: "↔",
  alpha: "α", beta: "β", gamma: "γ", delta: "δ", epsilon: "ε", kappa: "κ", lambda: "λ", mu: "μ", pi: "π",
  sigma: "σ", tau: "τ", omega: "ω", Alpha: "Α", Beta: "Β", Gamma: "Γ", Delta: "Δ", Omega: "Ω",
  agrave: "à", aacute: "á", acirc: "â", atilde: "ã", auml: "ä", aring: "å", aelig: "æ", ccedil: "ç",
  egrave: "è", eacute: "é", ecirc: "ê", euml: "ë", iacute: "í", iuml: "ï", ntilde: "ñ", oacute: "ó",
  ocirc: "ô", ouml: "ö", oslash: "ø", uacute: "ú", uuml: "ü", Eacute: "É", Ouml: "Ö", Uuml: "Ü", szlig: "ß"
}
