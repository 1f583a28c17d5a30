/** A request of a test: what is left out is sound. */
export interface TestRequest {
  readonly path: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}
