import description from "../package.json" with { type: "json" }

/** The service's version, as telemetry tells it. */
export const { version } = description
