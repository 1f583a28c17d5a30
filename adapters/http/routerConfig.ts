import { headerBytesMax } from "../../core/admission/body.ts"

/** Paths are taken as they are written: another case or another slash is another path. */
export const routerConfig = {
  caseSensitive: true,
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false,
  maxParamLength: headerBytesMax
} as const
