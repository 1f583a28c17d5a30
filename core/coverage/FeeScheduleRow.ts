/**
 * One row of the Medicare physician fee schedule's relative value file (coverage-domain §1.3). The
 * descriptions beside the values are the AMA's and are never kept. Values are relative value units.
 */
export interface FeeScheduleRow {
  readonly code: string
  /** `26` the professional component, `TC` the technical one, `53` a discontinued one; empty: the whole. */
  readonly modifier: string
  /** How Medicare pays it: `A` active, `B` bundled, `N` not covered, `X` by another schedule, and so on. */
  readonly statusCode: string
  readonly workRvu: number | null
  readonly nonFacilityPeRvu: number | null
  readonly facilityPeRvu: number | null
  readonly mpRvu: number | null
  readonly nonFacilityTotal: number | null
  readonly facilityTotal: number | null
  /** `000`, `010`, `090`, or three letters where the schedule sets none. */
  readonly globalDays: string | null
  /** Dollars for one unit. */
  readonly conversionFactor: number | null
}
