import { newOrganization, pathIn, signedUp } from "../dashboard/browsing.ts"
import type { Browser, Got } from "../dashboard/browsing.ts"
import type { App } from "./App.ts"
import type { Stage } from "./stage.ts"

type Place = Pick<Stage, "url" | "emailTo">

/** Somebody at a browser without script, and the organization they are looking at. */
export interface SignedInPerson {
  readonly browser: Browser
  readonly organizationId: string
  /** The organization's pages, `/dashboard/<id>`. */
  readonly home: string
  readonly name: string
}

/** Signs up through the pages and makes an organization. */
export const newOwner = async (place: Place, name: string, email: string): Promise<SignedInPerson> => {
  const browser = await signedUp(place, { name, email })
  const home = await newOrganization(browser, `Clinic of ${name}`)
  return { browser, home, name, organizationId: home.replace("/dashboard/", "") }
}

/** Is invited as a member by the owner, signs up by the letter's link and accepts. */
export const newMember = async (
  place: Place,
  owner: SignedInPerson,
  who: { readonly name: string; readonly email: string }
): Promise<SignedInPerson> => {
  await owner.browser.post(`${owner.home}/members`, { email: who.email, role: "member" })
  const invitation = pathIn(await place.emailTo(who.email), "/invitations/")
  const browser = await signedUp(place, { ...who, next: invitation })
  const joined = await browser.post(invitation)
  if (joined.location !== `${owner.home}/usage`) throw new Error(`not joined: ${joined.text}`)
  return { ...owner, browser, name: who.name }
}

/** The page of consent that the library sent the person to, as their browser shows it. */
export const consentPage = async ({ browser }: Pick<SignedInPerson, "browser">, app: App) => {
  if (app.kept.asked === undefined) throw new Error("the app asks for no consent")
  const { pathname, search } = app.kept.asked
  app.kept.asked = undefined
  const { location, ...asked } = await browser.get(pathname + search)
  if (location === "") return { path: "", page: { location, ...asked } }
  const path = pathOf(location)
  return { path, page: await browser.get(path) }
}

/** Says yes, and answers where the browser is sent to: the app's own address with the code. */
export const allows = async (person: SignedInPerson, app: App): Promise<URL> => {
  const { path, page } = await consentPage(person, app)
  if (page.status !== 200) throw new Error(`no consent is asked: ${page.text}`)
  const { browser, organizationId } = person
  const answered = await browser.post(`${path}/allow`, { organization: organizationId })
  return new URL((await browser.get(pathOf(answered.location))).location)
}

/** The whole of a dance, from nothing: the app asks, the person allows, the app is connected. */
export const dance = async (person: SignedInPerson, app: App): Promise<void> => {
  app.kept.tokens = undefined
  const refused = await app.connect().then(
    () => false,
    () => true
  )
  if (!refused) throw new Error("the app was let in without a token")
  await app.finish(await allows(person, app))
  await app.connect()
}

/** The owner disconnects the one app of that name, by the page's own link. */
export const disconnect = async ({ browser, home }: SignedInPerson, name: string): Promise<Got> => {
  const { text } = await browser.get(`${home}/apps`)
  const [, path = ""] =
    new RegExp(`href="([^"]+/disconnect)" aria-label="Disconnect ${name} of`).exec(text) ?? []
  if (path === "") throw new Error(`${name} is not connected: ${text}`)
  await browser.get(path)
  return browser.send(path)
}

/** The owner removes the member of that name, by the page's own link. */
export const removeMember = async ({ browser, home }: SignedInPerson, name: string): Promise<Got> => {
  const { text } = await browser.get(`${home}/members`)
  const [, path = ""] = new RegExp(`href="([^"]+/remove)" aria-label="Remove ${name}"`).exec(text) ?? []
  if (path === "") throw new Error(`${name} is no member: ${text}`)
  return browser.send(path)
}

const pathOf = (location: string): string => {
  const { pathname, search } = new URL(location, "http://own.example")
  return pathname + search
}
