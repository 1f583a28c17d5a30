/**
 * So many of a log's calls are stored together. Its oldest and its newest ones, up to as many of each, are
 * read and written with every call; a chunk between them is written and read once.
 */
export const callsPerChunk = 8

/**
 * The calls of the last minute: of each the instant, the running total after it, and its cost, so that what
 * was used is the end less the beginning and a log of a thousand calls is never read through. The oldest and
 * the newest end the state, one after the other; chunks between them are fields of the hash, named by their
 * number. The head of the state says the bytes of the oldest, the number of the first chunk and that of the
 * next to come.
 */
export const log = `
local CALL, CALL_BYTES, CHUNK_BYTES = '<ddI', 20, ${20 * callsPerChunk}
local AT, TOTAL = 0, 8

local function seek(calls, start, stop, field, bound)
  if start >= stop or unpack('<d', calls, stop - CALL_BYTES + field) <= bound then return nil end
  local low, high, step = 0, 0, 1
  local last = (stop - start) / CALL_BYTES - 1
  while high < last and unpack('<d', calls, start + high * CALL_BYTES + field) <= bound do
    low, high, step = high + 1, high + step, step * 2
  end
  if high > last then high = last end
  while low < high do
    local middle = floor((low + high) / 2)
    local beyond = unpack('<d', calls, start + middle * CALL_BYTES + field) > bound
    if beyond then high = middle else low = middle + 1 end
  end
  return start + low * CALL_BYTES
end

local function first_beyond(key, state, field, bound)
  local front, low, next = unpack('<ddd', state, COUNTS_BYTES + 1)
  local back = HEAD_BYTES + 1 + front
  local position = seek(state, HEAD_BYTES + 1, back, field, bound)
  if position then return position, state end
  local chunk, high = nil, next
  while low < high do
    local middle = floor((low + high) / 2)
    local calls = call('HGET', key, middle)
    local within = calls and seek(calls, 1, #calls + 1, field, bound)
    if within then high, position, chunk = middle, within, calls else low = middle + 1 end
  end
  if chunk then return position, chunk, low end
  return seek(state, back, #state + 1, field, bound), state
end

local function head_of(key, state, bound)
  local position, calls, piece = first_beyond(key, state, AT, bound)
  local _, total, cost = unpack(CALL, calls, position)
  return piece and sub(calls, position) or position, total - cost, piece
end

local function freeing(key, state, total)
  local position, calls = first_beyond(key, state, TOTAL, total - 1)
  return (unpack('<d', calls, position))
end

local function append(key, state, counts, entry, head, piece, slot, slot_ends)
  local front, first, next = unpack('<ddd', state, COUNTS_BYTES + 1)
  if not head and #state - HEAD_BYTES - front < CHUNK_BYTES then
    state = counts .. sub(state, COUNTS_BYTES + 1) .. entry
    call('HSET', key, 'state', state, slot, slot_ends)
    return state
  end
  local back, oldest, calls, spilled = HEAD_BYTES + 1 + front, first, nil, nil
  if not head then
    calls = sub(state, HEAD_BYTES + 1)
  elseif head == true then
    calls, front, first = '', 0, next
  elseif piece then
    calls, front, first = head .. sub(state, back), #head, piece + 1
  elseif head < back then
    calls, front = sub(state, head), back - head
  else
    calls, front, first = sub(state, head), 0, next
  end
  if #calls - front >= CHUNK_BYTES then
    if front == 0 then
      front = #calls
    else
      calls, spilled, next = sub(calls, 1, front), sub(calls, front + 1), next + 1
    end
  end
  state = counts .. pack('<ddd', front, first, next) .. calls .. entry
  if spilled then
    call('HSET', key, 'state', state, slot, slot_ends, next - 1, spilled)
  else
    call('HSET', key, 'state', state, slot, slot_ends)
  end
  for number = oldest, first - 1 do call('HDEL', key, number) end
  return state
end
`
