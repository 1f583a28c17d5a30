import { afterAll, describe, expect, it } from "vitest"
import { openSite, secureUrl } from "./useSite.ts"
import { newOrganization, hiddenIn, password, pathIn, signedUp, browserOf } from "./browsing.ts"
import type { Browser } from "./browsing.ts"

const pages = await openSite({ baseUrl: secureUrl })
afterAll(() => pages.close())

const owner = await signedUp(pages, { name: "Olga", email: "olga@clinic.example" })
const home = await newOrganization(owner, "Example Clinic")

describe("§5.5 an organization and its members, by pages, without script", () => {
  const invite = async (email: string, role: string): Promise<string> => {
    const said = await owner.send(`${home}/members`, { email, role })
    expect(said.text).toContain("The invitation is sent.")
    return pathIn(await pages.emailTo(email), "/invitations/")
  }

  const joined = async (name: string, role: string): Promise<Browser> => {
    const email = `${name.toLowerCase()}@clinic.example`
    const link = await invite(email, role)
    const person = await signedUp(pages, { name, email, next: link })
    expect((await person.post(link)).location).toBe(`${home}/usage`)
    return person
  }

  /** What removes or changes somebody, as the page of the members has it. */
  const pathOf = (text: string, name: string): string =>
    new RegExp(`href="([^"]*)/remove" aria-label="Remove ${name}"`).exec(text)?.[1] ?? ""

  it("none: create one; one: its usage; several: a choice; at most three unpaid", async () => {
    const email = "sam@clinic.example"
    const sam = await signedUp(pages, { name: "Sam", email })
    expect((await sam.get("/dashboard")).location).toBe("/dashboard/new")
    expect((await sam.post("/dashboard/new", { name: " " })).status).toBe(422)
    const named = await sam.post("/dashboard/new", { name: "Clinic of Mrs. Quill" })
    expect(named.status).toBe(422)
    expect(named.text).toContain("a patient identifier (name of a person). Leave it out.")
    expect(named.text).not.toContain("Quill")
    const created = await sam.post("/dashboard/new", { name: "First" })
    expect(created.location).toMatch(/^\/dashboard\/org_[0-9a-z]{26}\/usage$/)
    expect((await sam.get("/dashboard")).location).toBe(created.location)
    expect((await sam.get(created.location)).text).toContain("100 starter credits")
    await newOrganization(sam, "Second")
    await newOrganization(sam, "Third")
    const choice = await sam.get("/dashboard")
    for (const name of ["First", "Second", "Third"]) expect(choice.text).toContain(`>${name}</a>`)
    const fourth = await sam.post("/dashboard/new", { name: "Fourth" })
    expect(fourth.status).toBe(422)
    expect(fourth.text).toContain("You already have 3 organizations on the Credits plan")
  })

  it("an invited person signs up with the invited address, comes back and accepts", async () => {
    const email = "ines@clinic.example"
    const link = await invite(email, "admin")
    const browser = browserOf(pages)
    const seen = await browser.get(link)
    expect(seen.text).toContain("Join Example Clinic")
    expect(seen.text).not.toContain(email)
    const signUpPath = /href="(\/signup[^"]*)"/.exec(seen.text)?.[1] ?? ""
    const form = await browser.get(signUpPath)
    await browser.post("/signup", { ...hiddenIn(form.text), email })
    const confirmation = await browser.get(pathIn(await pages.emailTo(email), "/verify"))
    const back = await browser.send("/verify", {
      ...hiddenIn(confirmation.text),
      name: "Ines",
      password
    })
    expect(back.text).toContain("Accept the invitation")
    const welcome = await browser.send(link)
    expect(welcome.text).toContain("Welcome! You are now a member")
    expect((await browser.get(link)).status).toBe(404)
    expect((await owner.get(`${home}/members`)).text).toContain("ines@clinic.example")
  })

  it("another person than the invited one is told so, and is not told who was", async () => {
    const link = await invite("ida@clinic.example", "member")
    const other = await signedUp(pages, { name: "Otto", email: "otto@clinic.example" })
    const seen = await other.get(link)
    expect(seen.text).toContain("sent to another email address")
    expect(seen.text).not.toContain("ida@clinic.example")
    expect((await other.post(link)).location).toBe(link)
    expect((await other.get(home)).status).toBe(404)
  })

  it("a withdrawn invitation leads nowhere", async () => {
    const link = await invite("ivan@clinic.example", "member")
    const id = link.split("/").at(-1) ?? ""
    const withdraw = `${home}/invitations/${id}/withdraw`
    expect((await owner.get(`${home}/members`)).text).toContain(`action="${withdraw}"`)
    expect((await owner.send(withdraw)).text).toContain("The invitation is withdrawn.")
    expect((await owner.send(withdraw)).text).toContain("That invitation was already withdrawn or accepted.")
    expect((await browserOf(pages).get(link)).status).toBe(404)
  })

  it("a member sees who may, instead of buttons, and is refused all the same", async () => {
    const member = await joined("Mia", "member")
    const { text } = await member.get(`${home}/members`)
    expect(text).toContain("Only owners and admins can invite people.")
    expect(text).not.toContain("Send invitation")
    expect(text).not.toContain("/role")
    const owners = (await owner.get(`${home}/members`)).text
    for (const [path, values] of [
      [`${home}/members`, { email: "x@clinic.example", role: "member" }],
      [`${pathOf(owners, "Mia")}/role`, { role: "owner" }],
      [`${home}/settings`, { name: "Mine" }]
    ] as const) {
      const refused = await member.post(path, values)
      expect([path, refused.status]).toEqual([path, 403])
      expect(refused.text).toContain("Only owners and admins can")
    }
    expect((await member.get(`${home}/settings`)).text).toContain("Only owners and admins can rename")
  })

  it("an admin neither makes owners nor touches them; an owner does", async () => {
    const admin = await joined("Abe", "admin")
    const seen = (await admin.get(`${home}/members`)).text
    expect(seen).not.toContain('<option value="owner"')
    expect(pathOf(seen, "Olga")).toBe("")
    const refused = await admin.post(`${home}/members`, { email: "new@clinic.example", role: "owner" })
    expect([refused.status, refused.text.includes("Only owners can")]).toEqual([403, true])
    const olga = /members\/([^"/]*)\/remove">Leave/.exec((await owner.get(`${home}/members`)).text)?.[1]
    for (const said of [
      await admin.get(`${home}/members/${olga}/remove`),
      await admin.post(`${home}/members/${olga}/remove`)
    ]) {
      expect(said.status).toBe(403)
      expect(said.text).toContain("Only owners can add, change and remove owners.")
    }
    const path = pathOf((await owner.get(`${home}/members`)).text, "Abe")
    expect((await owner.send(`${path}/role`, { role: "member" })).text).toContain("The role is changed.")
    expect((await admin.post(`${home}/members`, { email: "n@clinic.example", role: "member" })).status).toBe(
      403
    )
    expect((await owner.post(`${path}/role`, { role: "emperor" })).status).toBe(404)
  })

  it("a removed member is out at once, after a page that asks once more", async () => {
    const member = await joined("Rob", "member")
    expect((await member.get(`${home}/settings`)).status).toBe(200)
    const path = pathOf((await owner.get(`${home}/members`)).text, "Rob")
    const asked = await owner.get(`${path}/remove`)
    expect(asked.text).toContain("Remove Rob?")
    expect((await owner.send(`${path}/remove`)).text).toContain("The member is removed")
    expect((await member.get(`${home}/settings`)).status).toBe(404)
    expect((await owner.send(`${path}/remove`)).text).toContain("no longer a member")
  })

  it("a member leaves; the last owner stays", async () => {
    const member = await joined("Lea", "member")
    const leave = /href="([^"]*)\/remove">Leave/
    const own = leave.exec((await member.get(`${home}/members`)).text)?.[1] ?? ""
    expect((await member.get(`${own}/remove`)).text).toContain("Leave Example Clinic?")
    expect((await member.send(`${own}/remove`)).text).toContain("You left the organization.")
    const last = leave.exec((await owner.get(`${home}/members`)).text)?.[1] ?? ""
    expect((await owner.send(`${last}/remove`)).text).toContain("keeps at least one owner")
  })

  it("an organization somebody is no member of answers as an unknown one", async () => {
    const stranger = await signedUp(pages, { name: "Una", email: "una@clinic.example" })
    await stranger.get("/dashboard/new")
    for (const page of ["", "/members", "/settings", "/usage", "/keys"]) {
      const theirs = await stranger.get(home + page)
      const unknown = await stranger.get(`/dashboard/org_00000000000000000000000000${page}`)
      expect([theirs.status, theirs.text]).toEqual([404, unknown.text])
    }
    expect((await stranger.post(`${home}/settings`, { name: "Mine" })).status).toBe(404)
  })

  it("an owner renames the organization, and has a link sent to change the password", async () => {
    const renamed = await owner.send(`${home}/settings`, { name: "Example <Hospital>" })
    expect(renamed.text).toContain("The organization is renamed.")
    expect(renamed.text).toContain("Example &lt;Hospital&gt;</h1>".replace("</h1>", ""))
    expect((await owner.post(`${home}/settings`, { name: "" })).status).toBe(422)
    const named = await owner.post(`${home}/settings`, { name: "12 Marrowbone Street" })
    expect([named.status, named.text.includes("Marrowbone")]).toEqual([422, false])
    expect((await owner.send(`${home}/settings/password`)).text).toContain("We sent you an email")
    await expect.poll(() => pages.emailTo("olga@clinic.example")).toContain("/reset?token=")
  })
})
