import { chartsStyle } from "./style/charts.ts"
import { controlsStyle } from "./style/controls.ts"
import { frameStyle } from "./style/frame.ts"
import { partsStyle } from "./style/parts.ts"

/** The one sheet of all pages. */
export const style = frameStyle + controlsStyle + partsStyle + chartsStyle
