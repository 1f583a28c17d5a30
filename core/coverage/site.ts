/** The sites of service that the service knows, in the wire's words (contract §2). */
export const sites = [
  "office",
  "outpatient_hospital",
  "asc",
  "inpatient",
  "home",
  "telehealth",
  "emergency",
  "skilled_nursing_facility",
  "nursing_facility",
  "independent_clinic",
  "independent_laboratory"
] as const
export type Site = (typeof sites)[number]

/**
 * A site of service in any usual writing, CMS's place-of-service numbers too. Undefined: not known, so that a
 * rule which depends on the site is not judged by a guess. A bare `hospital` or `outpatient` says too little.
 */
export const canonicalSite = (text: string): Site | undefined => {
  const name = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, " ")
  return writings.get(name.replace(/^pos (?=\d)/, ""))
}

const others: Readonly<Record<Site, ReadonlyArray<string>>> = {
  office: ["11", "physician office", "doctor's office", "clinic office"],
  outpatient_hospital: [
    ...["19", "22", "hopd", "opd", "hospital outpatient", "hospital outpatient department"],
    ...["outpatient department", "outpatient hospital department", "on campus outpatient hospital"],
    ...["off campus outpatient hospital"]
  ],
  asc: ["24", "ambulatory surgical center", "ambulatory surgery center"],
  inpatient: ["21", "inpatient hospital", "hospital inpatient"],
  home: ["12", "patient home", "patient's home"],
  telehealth: ["02", "2", "10", "telemedicine"],
  emergency: ["23", "emergency room", "emergency department", "emergency room hospital"],
  skilled_nursing_facility: ["31", "snf"],
  nursing_facility: ["32"],
  independent_clinic: ["49"],
  independent_laboratory: ["81"]
}

const writings: ReadonlyMap<string, Site> = new Map(
  sites.flatMap((site) => [site.replaceAll("_", " "), ...others[site]].map((name) => [name, site] as const))
)
