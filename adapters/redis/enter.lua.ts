import { dayMs } from "../../core/limit/quota.ts"
import { leaseMs, slotRetryMs } from "../../core/limit/slots.ts"
import { windowMs } from "../../core/limit/window.ts"

/** Each entry passes three keys: its log, its day and its leases. */
export const keysPerEntry = 3

/**
 * Each entry passes these arguments: clock, cost, the limits of the minute, the day and the slots, request
 * id, what is told of the day (which one, and the cost units it has used), and whether the day must be
 * known, 1 or 0.
 */
export const argumentsPerEntry = 9

/** Stands where the told day would be when nothing is told. */
export const nothingTold = -1

/**
 * Six numbers answer each entry that has a cost: who decided, remaining, reset, retry after, the instant, and
 * how long the refusal stands.
 */
export const numbersPerAnswer = 6

/** The first of the six numbers. */
export const verdicts = { admitted: 0, minute: 1, day: 2, concurrent: 3, unknown: 4, failed: -1 } as const

/**
 * What only keeps the keys small and lets them expire is done at a subject's first call in each ten minutes,
 * and the keys outlive two of them.
 */
export const tidyMs = 600_000

/**
 * The kernel's `enter` and `attempt` for a batch of entries, in order; law 1 of Limits holds the two
 * together. The log is a list of (instant, cost, running total), so that what was used is its end less its
 * beginning and a log of a thousand calls is never read through. An entry whose keys are damaged fails alone.
 * A refusal writes nothing but what it was told of the day.
 *
 * KEYS are those of the entries, then the leases of each slot to give back; ARGV the number of entries, the
 * entries' arguments, then the request id of each slot to give back. Slots are given back first.
 */
export const script = `
local W, DAY, LEASE, TIDY = ${windowMs}, ${dayMs}, ${leaseMs}, ${tidyMs}

local server_clock
local function clock(given)
  if given >= 0 then return given end
  if not server_clock then
    local time = redis.call('TIME')
    server_clock = time[1] * 1000 + math.floor(time[2] / 1000)
  end
  return server_clock
end

local function at(log, index)
  local entry = redis.call('LINDEX', log, index)
  if entry then return struct.unpack('<ddd', entry) end
end

local function first(log, low, high, holds)
  if low < high and holds(at(log, low)) then return low end
  while low < high do
    local middle = math.floor((low + high) / 2)
    if holds(at(log, middle)) then high = middle else low = middle + 1 end
  end
  return low
end

local function use_of(day_use, day)
  local stored = redis.call('GET', day_use)
  if stored then
    local stored_day, spent = struct.unpack('<dd', stored)
    if stored_day == day then return spent, true end
  end
  return 0, false
end

local function count_day(day_use, day, spent)
  redis.call('SET', day_use, struct.pack('<dd', day, spent), 'PX', DAY)
end

local function enter(log, day_use, leases, id,
  given, cost, per_minute, per_day, concurrent, told_day, told_used, must_know)
  local now = clock(given)
  local last, _, last_total = at(log, -1)
  if last and last > now then now = last end

  local day = math.floor(now / DAY)
  if per_day >= 0 and told_day == day then
    local spent, counted = use_of(day_use, day)
    if not counted or spent < told_used then count_day(day_use, day, told_used) end
  end

  local head, before, used, reset = 0, 0, 0, now
  if last and last > now - W then
    local instant, first_cost, total = at(log, 0)
    if instant <= now - W then
      head = first(log, 1, redis.call('LLEN', log) - 1, function(each) return each > now - W end)
      instant, first_cost, total = at(log, head)
    end
    before = total - first_cost
    used = last_total - before
    reset = last + W
  end
  local remaining = math.max(0, per_minute - used)

  if used + cost > per_minute then
    local tail = redis.call('LLEN', log) - 1
    local function until_free(need)
      if need > used then return W end
      local freeing = first(log, head, tail, function(_, _, total) return total - before >= need end)
      return at(log, freeing) + W - now
    end
    local stands = 0
    if remaining == 0 and cost <= per_minute then stands = until_free(used + 1 - per_minute) end
    return ${verdicts.minute}, remaining, reset, until_free(used + cost - per_minute), now, stands
  end

  local spent = 0
  if per_day >= 0 then
    local counted
    spent, counted = use_of(day_use, day)
    if not counted and must_know == 1 then return ${verdicts.unknown}, day, 0, 0, now, 0 end
    if spent + cost > per_day then
      local midnight = (day + 1) * DAY
      return ${verdicts.day}, math.max(0, per_day - spent), midnight, midnight - now, now, 0
    end
  end

  local in_flight = redis.call('ZCOUNT', leases, string.format('(%.0f', now), '+inf')
  if in_flight >= concurrent then
    return ${verdicts.concurrent}, remaining, reset, ${slotRetryMs}, now, 0
  end

  local total = (used > 0 and last_total or 0) + cost
  redis.call('RPUSH', log, struct.pack('<ddd', now, cost, total))
  if used == 0 and last then head = -1 end
  if head ~= 0 then redis.call('LTRIM', log, head, -1) end
  if per_day >= 0 then count_day(day_use, day, spent + cost) end
  redis.call('ZADD', leases, string.format('%.0f', now + LEASE), id)

  local untidy = not last or math.floor(last / TIDY) ~= math.floor(now / TIDY)
  if untidy then
    redis.call('PEXPIRE', log, 2 * TIDY)
    redis.call('ZREMRANGEBYSCORE', leases, '-inf', string.format('%.0f', now))
  end
  if untidy or in_flight == 0 then redis.call('PEXPIRE', leases, 2 * TIDY) end
  return ${verdicts.admitted}, remaining - cost, now + W, 0, now, 0
end

local entries = tonumber(ARGV[1])
local first_left, first_left_id = entries * ${keysPerEntry}, 1 + entries * ${argumentsPerEntry}
for left = 1, #KEYS - first_left do
  redis.pcall('ZREM', KEYS[first_left + left], ARGV[first_left_id + left])
end

local answers = {}
for entry = 0, entries - 1 do
  local key, argument, answer = entry * ${keysPerEntry}, 1 + entry * ${argumentsPerEntry}, #answers
  local function number(nth) return tonumber(ARGV[argument + nth]) end
  local done, verdict, remaining, reset, retry, now, stands = pcall(enter,
    KEYS[key + 1], KEYS[key + 2], KEYS[key + 3], ARGV[argument + 6],
    number(1), number(2), number(3), number(4), number(5), number(7), number(8), number(9))
  if not done then verdict, remaining, reset, retry, now, stands = ${verdicts.failed}, 0, 0, 0, 0, 0 end
  answers[answer + 1], answers[answer + 2], answers[answer + 3] = verdict, remaining, reset
  answers[answer + 4], answers[answer + 5], answers[answer + 6] = retry, now, stands
end
return answers
`
