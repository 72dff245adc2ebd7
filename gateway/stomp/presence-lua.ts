/**
 * Lua of the presence registry. Each script is one atomic step, so that doors may connect, flush and sweep at the same
 * time: whoever comes second sees what the first wrote.
 *
 * KEYS: deadlines, pending. ARGV begins with: clock (epoch ms; empty = the server's own, one clock for all doors),
 * prefix of the devices' presence keys. Keys of single devices are built from it: the sweep learns the devices only
 * inside, so these scripts want an unclustered Redis.
 *
 * A pending transition is a line `<id>|<1|0>|<generation>|<receivedAt>|<spaceId>`; a device's lines are in order and
 * joined by line feeds. Its id is made here, once, from the transition's time and a random tail that the door gives:
 * whoever appends it, and however often, it is one row.
 */
const PRELUDE = `
local DEADLINES, PENDING, PREFIX = KEYS[1], KEYS[2], ARGV[2]
local MAX_SKEW_MS = 300000
local MAX_LINES_BYTES = 65536

local now
if ARGV[1] ~= '' then
  now = tonumber(ARGV[1])
else
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end

local function int(number)
  return string.format('%.0f', number)
end

local function read(id)
  local text = redis.call('GET', PREFIX .. id)
  if not text then return nil end
  local generation, online, at, door, space = string.match(text, '^(%d+)|([01])|(%d+)|([^|]*)|([^|]*)$')
  if not generation then return nil end
  return { generation = tonumber(generation), online = online == '1', at = tonumber(at), door = door, space = space }
end

local function write(id, value)
  redis.call('SET', PREFIX .. id, table.concat(
    { int(value.generation), value.online and '1' or '0', int(value.at), value.door, value.space }, '|'))
end

-- Clocks of doors differ a little: a device's times never step back because of it.
local function notBefore(at, floor)
  if at < floor and floor - at <= MAX_SKEW_MS then return floor end
  return at
end

local function idAt(at, tail)
  return string.format('%08x-%04x', math.floor(at / 65536), at % 65536) .. tail
end

local function isFull(id, maxPending)
  return redis.call('HLEN', PENDING) >= maxPending or redis.call('HSTRLEN', PENDING, id) > MAX_LINES_BYTES
end

local function transit(id, value, transitionId)
  local before = redis.call('HGET', PENDING, id)
  local line = table.concat(
    { transitionId, value.online and '1' or '0', int(value.generation), int(now), value.space }, '|')
  redis.call('HSET', PENDING, id, before and before .. '\\n' .. line or line)
end
`

/** Arguments of one device in CONNECT_LUA. */
export const CONNECT_FIELDS = 5

/**
 * Begins sessions. ARGV: doorId, maxPending, channel prefix of doors, then per device: deviceId, spaceId, at, deadlineMs
 * from now, tail. Answers three values a device: `generation, id of the online transition or '', was online 1|0`;
 * generation 0 when pending is full.
 *
 * Generations follow the clock so that they go on rising when Redis has lost everything.
 */
export const CONNECT_LUA = `${PRELUDE}
local door, maxPending, channel = ARGV[3], tonumber(ARGV[4]), ARGV[5]

local function connect(id, space, at, deadlineMs, tail)
  if isFull(id, maxPending) then return 0, '', 0 end
  local old = read(id)
  local value = { generation = now, online = true, at = at, door = door, space = space }
  if old then
    value.generation = math.max(old.generation + 1, now)
    -- An episode never ends before it began, however clocks are set.
    value.at = old.online and math.max(at, old.at) or notBefore(at, old.at + 1)
  end
  write(id, value)
  redis.call('ZADD', DEADLINES, int(now + deadlineMs), id)
  if old and old.online then
    if old.door ~= door then
      redis.call('PUBLISH', channel .. old.door, '[{"kind":"take-over","deviceId":' .. cjson.encode(id)
        .. ',"generation":' .. int(value.generation) .. '}]')
    end
    return value.generation, '', 1
  end
  local transitionId = idAt(value.at, tail)
  transit(id, value, transitionId)
  return value.generation, transitionId, 0
end

local answers = {}
for base = 6, #ARGV, ${CONNECT_FIELDS} do
  local generation, onlineId, wasOnline =
    connect(ARGV[base], ARGV[base + 1], tonumber(ARGV[base + 2]), tonumber(ARGV[base + 3]), ARGV[base + 4])
  for _, part in ipairs({ generation, onlineId, wasOnline }) do answers[#answers + 1] = part end
end
return answers
`

/** Numbers that TOUCH_LUA reports a device with. */
export const TOUCH_REPORT = { stale: 0, revived: 1, restored: 2 } as const

/** Arguments of one device in TOUCH_LUA. */
export const TOUCH_FIELDS = 8

/**
 * Last life signs of many sessions of a door; one that is not newer than Redis knows only moves the deadline. ARGV:
 * doorId, maxPending, then per device: deviceId, generation, at, deadlineMs from now, spaceId, tail, id of the online
 * transition that this session made or '', 1 when a life sign came since the last time. Answers flat groups of four for what is out of the ordinary:
 * `[index, report, generation, text]`:
 * - stale: a newer session exists; its generation and its door.
 * - revived: the sweep had made the device offline although its session lives; a new episode begins at this life
 *   sign, with a generation of its own; its generation and the id of its online transition.
 * - restored: Redis had lost the session; its online transition is made again under the same id, and one more in a
 *   generation of its own: whichever of them the log has lost or the sweep had ended is news, the others say nothing.
 *   The generation and the id of the second.
 */
export const TOUCH_LUA = `${PRELUDE}
local door, maxPending = ARGV[3], tonumber(ARGV[4])
local reports = {}
local function report(index, kind, generation, text)
  for _, part in ipairs({ index, kind, generation, text }) do reports[#reports + 1] = part end
end

for base = 5, #ARGV, ${TOUCH_FIELDS} do
  local index = (base - 5) / ${TOUCH_FIELDS}
  local id, generation, at, deadlineMs = ARGV[base], tonumber(ARGV[base + 1]), tonumber(ARGV[base + 2]), ARGV[base + 3]
  local space, tail, onlineId, hasSign = ARGV[base + 4], ARGV[base + 5], ARGV[base + 6], ARGV[base + 7] == '1'
  local value = read(id)
  if value and value.generation > generation then
    report(index, ${TOUCH_REPORT.stale}, value.generation, value.door)
  else
    local isAlive = true
    if not value or value.generation < generation then
      value = { generation = generation, online = true, at = value and math.max(at, value.at) or at, door = door, space = space }
      if onlineId ~= '' then transit(id, value, onlineId) end
      value.generation = generation + 1
      local transitionId = idAt(value.at, tail)
      transit(id, value, transitionId)
      report(index, ${TOUCH_REPORT.restored}, value.generation, transitionId)
    elseif value.online then
      value.at = math.max(value.at, at)
      value.door = door
    elseif hasSign and not isFull(id, maxPending) then
      value = { generation = generation + 1, online = true, at = notBefore(at, value.at + 1), door = door, space = space }
      local transitionId = idAt(value.at, tail)
      transit(id, value, transitionId)
      report(index, ${TOUCH_REPORT.revived}, value.generation, transitionId)
    else
      isAlive = false
    end
    if isAlive then
      write(id, value)
      redis.call('ZADD', DEADLINES, int(now + tonumber(deadlineMs)), id)
    end
  end
end
return reports
`

/**
 * Ends a session. ARGV: doorId, deviceId, generation, at, spaceId, tail, id of the online transition that this
 * session made or '', tail of an online transition. Answers 1 when the device went offline by it, 0 when a newer session or the sweep came first.
 */
export const DISCONNECT_LUA = `${PRELUDE}
local door, id, generation, at, space = ARGV[3], ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6]), ARGV[7]
local tail, onlineId, onlineTail = ARGV[8], ARGV[9], ARGV[10]
local value = read(id)
if value and value.generation > generation then return 0 end
if not value or value.generation < generation then
  value = { generation = generation, online = true, at = at, door = door, space = space }
  transit(id, value, onlineId ~= '' and onlineId or idAt(at, onlineTail))
end
if not value.online then return 0 end
value.online = false
value.at = math.max(at, value.at)
write(id, value)
redis.call('ZREM', DEADLINES, id)
transit(id, value, idAt(value.at, tail))
return 1
`

/**
 * Takes devices offline whose deadline has passed, dated at their last life sign. ARGV: key of the epoch, what the epoch
 * is to be when Redis has none, the clock that the door expects and how far it may be off (empty: any), then one tail
 * per device to take at most. Answers `[deadlines passed, devices made offline, devices with pending transitions, epoch,
 * clock]`; -1 for the first, and nobody is taken, when the clock is another than expected. A deadline is always that of
 * the newest generation, for only that one writes it, in the same step as the value.
 */
export const SWEEP_LUA = `${PRELUDE}
local epochKey, newEpoch, expected, slack = ARGV[3], ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6])
local epoch = redis.call('GET', epochKey)
if not epoch then
  epoch = newEpoch
  redis.call('SET', epochKey, epoch)
end
if expected and math.abs(now - expected) > slack then
  return { -1, 0, redis.call('HLEN', PENDING), epoch, int(now) }
end
local limit = #ARGV - 6
local expired = redis.call('ZRANGEBYSCORE', DEADLINES, '-inf', int(now), 'LIMIT', 0, limit)
local offline = 0
for index, id in ipairs(expired) do
  redis.call('ZREM', DEADLINES, id)
  local value = read(id)
  if value and value.online then
    value.online = false
    write(id, value)
    transit(id, value, idAt(value.at, ARGV[index + 6]))
    offline = offline + 1
  end
end
return { #expired, offline, redis.call('HLEN', PENDING), epoch, int(now) }
`

/**
 * Writes what the tables know of devices that Redis does not, which has lost them. Those online go offline with their
 * deadline unless their session shows itself. ARGV: deadlineMs from now, then per device: deviceId, generation, online
 * 1|0, at, spaceId. Answers how many online ones were unknown.
 */
export const ADOPT_LUA = `${PRELUDE}
local adopted = 0
for base = 4, #ARGV, 5 do
  local id, isOnline = ARGV[base], ARGV[base + 2] == '1'
  if not read(id) then
    write(id, { generation = tonumber(ARGV[base + 1]), online = isOnline, at = tonumber(ARGV[base + 3]), door = '', space = ARGV[base + 4] })
    if isOnline then
      redis.call('ZADD', DEADLINES, int(now + tonumber(ARGV[3])), id)
      adopted = adopted + 1
    end
  end
end
return adopted
`

/**
 * Takes out transitions that are in the ingest log. ARGV: pairs of deviceId and the lines that were appended. Lines
 * that came behind them meanwhile stay; lines that another door has taken out are no matter.
 */
export const SETTLE_LUA = `${PRELUDE}
for base = 3, #ARGV, 2 do
  local id, appended = ARGV[base], ARGV[base + 1]
  local lines = redis.call('HGET', PENDING, id)
  if lines == appended then
    redis.call('HDEL', PENDING, id)
  elseif lines and string.sub(lines, 1, #appended + 1) == appended .. '\\n' then
    redis.call('HSET', PENDING, id, string.sub(lines, #appended + 2))
  end
end
return 0
`
