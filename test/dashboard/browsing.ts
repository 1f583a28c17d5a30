import type { SiteWithEmails } from "./useSite.ts"

/** What a browser got. */
export interface Got {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Where it is to go on to; "": nowhere. */
  readonly location: string
}

/** A browser without scripts: it keeps cookies, sends forms, and follows when it is told to. */
export interface Browser {
  readonly get: (path: string) => Promise<Got>
  /** As a form on a page of ours is sent; other headers replace those of one. */
  readonly post: (
    path: string,
    values?: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>
  ) => Promise<Got>
  /** Sends, and goes on to where it leads, as a person sees it. */
  readonly send: (path: string, values?: Readonly<Record<string, string>>) => Promise<Got>
  readonly cookies: Map<string, string>
}

/** A new browser; `cookie` is `name=value`. */
export const browserOf = ({ url }: Pick<SiteWithEmails, "url">, cookie = ""): Browser => {
  const cookies = new Map<string, string>()
  if (cookie !== "") keep(cookies, cookie)
  const ask = async (path: string, init: RequestInit): Promise<Got> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const headers = { ...Object.fromEntries(new Headers(init.headers)), ...(cookie !== "" && { cookie }) }
    const response = await fetch(url + path, { ...init, headers, redirect: "manual" })
    for (const line of response.headers.getSetCookie()) keep(cookies, line)
    return {
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      location: response.headers.get("location") ?? ""
    }
  }
  const get: Browser["get"] = (path) => ask(path, {})
  const post: Browser["post"] = (path, values = {}, headers = { "sec-fetch-site": "same-origin" }) =>
    ask(path, { method: "POST", body: new URLSearchParams(values), headers })
  return {
    cookies,
    get,
    post,
    send: async (path, values) => {
      let got = await post(path, values)
      for (let hops = 0; got.location !== "" && hops < 5; hops++) got = await get(got.location)
      return got
    }
  }
}

/** The values of a page's hidden fields. */
export const hiddenIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(([, name, value]) => [
      name ?? "",
      value ?? ""
    ])
  )

export const password = "four words make it"

/** Somebody who signed up, opened the link of the email and pressed its button. */
export const signedUp = async (
  pages: Pick<SiteWithEmails, "url" | "emailTo">,
  who: { readonly name: string; readonly email: string; readonly next?: string }
): Promise<Browser> => {
  const browser = browserOf(pages)
  await browser.post("/signup", { email: who.email })
  const page = await browser.get(pathIn(await pages.emailTo(who.email), "/verify"))
  await browser.post("/verify", { ...hiddenIn(page.text), name: who.name, password })
  return browser
}

/** The path of the link in an email. */
export const pathIn = (email: string | undefined, path: string): string => {
  const line = email?.split("\n").find((each) => each.includes(path)) ?? ""
  return line.slice(line.indexOf(path))
}

/** Makes an organization and answers its home, `/dashboard/<id>`. */
export const newOrganization = async (browser: Browser, name: string): Promise<string> =>
  (await browser.post("/dashboard/new", { name })).location.replace(/\/usage$/, "")

const keep = (cookies: Map<string, string>, line: string): void => {
  const [pair = "", ...attributes] = line.split(";").map((part) => part.trim())
  const name = pair.slice(0, pair.indexOf("="))
  if (attributes.some((each) => each.toLowerCase() === "max-age=0")) cookies.delete(name)
  else cookies.set(name, pair.slice(name.length + 1))
}
