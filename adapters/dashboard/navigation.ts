/** The pages of an organization, in the order a newcomer meets them. */
export const sections = [
  { section: "usage", title: "Usage", path: "/usage" },
  { section: "keys", title: "Keys", path: "/keys" },
  { section: "credits", title: "Credits", path: "/credits" },
  { section: "webhooks", title: "Webhooks", path: "/webhooks" },
  { section: "members", title: "Members", path: "/members" },
  { section: "apps", title: "Apps", path: "/apps" },
  { section: "audit", title: "Audit log", path: "/audit" },
  { section: "settings", title: "Settings", path: "/settings" }
] as const
export type Section = (typeof sections)[number]["section"]
