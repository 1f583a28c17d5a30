import type { ReservedRequest } from "./reservedInputs.ts"

/** A request as a line for the shell; `$KEY` stands for the reader's test key. */
export const curlText = (request: ReservedRequest, baseUrl: string): string => {
  const { authorization, body, headers = {}, method, path } = request
  const bearer = standIns[authorization] ?? authorization
  const parts = [
    "curl -i",
    ...(method === "GET" ? [] : [`-X ${method}`]),
    ...(bearer === "none" ? [] : [`-H "authorization: ${bearer}"`]),
    ...Object.entries(headers).map(([name, value]) => `-H "${name}: ${value}"`),
    ...(body === undefined ? [] : [`-d '${body}'`]),
    `"${baseUrl}${path}"`
  ]
  return parts.join(" ")
}

const standIns: Readonly<Record<string, string>> = {
  own: "Bearer $KEY",
  certified: "Bearer $CERTIFIED_KEY"
}
