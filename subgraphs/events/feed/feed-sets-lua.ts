/**
 * Scripts over the sets that feeds are kept in. A set is sorted by its members alone (all scores are 0), which are keys
 * (feed-key.ts), and before them one marker: `!r:<print>` when the set has all the news of its targets, `!b:<print>:<token>`
 * while somebody fills it. The print says of which targets and of which run of Redis: after a restart, which may have lost
 * the last second, nothing passes for complete.
 *
 * Writers add to sets that are there, filled or not, so that whoever fills one misses nothing; and only while what they
 * know of watches is of `version`, which whoever begins to fill a set makes another.
 */

/** The print of narrow targets; `wide` ones have that of the run alone. */
const PRINT_LUA = `
local run = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
`

const ADD_LUA = `
local function add(key, cap, from)
  local scored = {}
  for i = from, #ARGV do
    scored[#scored + 1] = 0
    scored[#scored + 1] = ARGV[i]
  end
  if #scored > 0 then redis.call('ZADD', key, unpack(scored)) end
  redis.call('ZREMRANGEBYRANK', key, 1, -(cap + 1))
end
`

/**
 * KEYS: version, wide targets, sets. ARGV: version that the caller knows, cap, id of the target when it is wide or '', a
 * new version, keys. Adds the keys to the sets that are there. Answers 1, or 0 when the version is another: then
 * nothing was added. A target that turns wide is marked and makes the version another.
 */
export const APPEND_LUA = `${ADD_LUA}
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if ARGV[3] ~= '' and redis.call('SADD', KEYS[2], ARGV[3]) == 1 then redis.call('SET', KEYS[1], ARGV[4]) end
for i = 3, #KEYS do
  if redis.call('EXISTS', KEYS[i]) == 1 then add(KEYS[i], tonumber(ARGV[2]), 5) end
end
return 1
`

/**
 * KEYS: set of the user, wide targets. ARGV: the greatest member to read, limit, cap, how long to keep a set in ms, prefix
 * of sets of targets, and of each target its id and that of the watch, sorted.
 * Answers the print of the user's set when that is to be filled or '', the run, the wide targets, those of them whose set is to be filled; and, when nothing is, the newest
 * members of each set up to the limit, and the oldest one of each that is full.
 */
export const READ_LUA = `${PRINT_LUA}
local ids, narrow, wide, missing = {}, {}, {}, {}
for i = 6, #ARGV do ids[#ids + 1] = string.sub(ARGV[i], 1, 36) end
local marks = #ids > 0 and redis.call('SMISMEMBER', KEYS[2], unpack(ids)) or {}
for i, id in ipairs(ids) do
  if marks[i] == 1 then wide[#wide + 1] = id else narrow[#narrow + 1] = ARGV[i + 5] end
end
local function isReady(key, print) return redis.call('ZRANGE', key, 0, 0)[1] == '!r:' .. print end
local sets, print = {}, ''
if #narrow > 0 then
  print = redis.sha1hex(run .. table.concat(narrow))
  sets[1] = KEYS[1]
  if isReady(KEYS[1], print) then print = '' end
end
for _, id in ipairs(wide) do
  local key = ARGV[5] .. id
  sets[#sets + 1] = key
  if not isReady(key, run) then missing[#missing + 1] = id end
end
local members, floors = {}, {}
if print == '' and #missing == 0 then
  for _, key in ipairs(sets) do
    for _, member in ipairs(redis.call('ZREVRANGEBYLEX', key, ARGV[1], '[0', 'LIMIT', 0, ARGV[2])) do
      members[#members + 1] = member
    end
    if redis.call('ZCARD', key) > tonumber(ARGV[3]) then floors[#floors + 1] = redis.call('ZRANGE', key, 1, 1)[1] end
    redis.call('PEXPIRE', key, ARGV[4])
  end
end
return { print, run, wide, missing, members, floors }
`

/**
 * KEYS: set, version. ARGV: print, token, a new version, how long filling may take in ms. Begins to fill the set, unless
 * somebody does so for the same print. Answers the token by which it is filled, '' when it is complete.
 */
export const BEGIN_LUA = `
local first = redis.call('ZRANGE', KEYS[1], 0, 0)[1] or ''
if first == '!r:' .. ARGV[1] then return '' end
local mark = '!b:' .. ARGV[1] .. ':'
if string.sub(first, 1, #mark) == mark then return string.sub(first, #mark + 1) end
redis.call('DEL', KEYS[1])
redis.call('ZADD', KEYS[1], 0, mark .. ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
redis.call('SET', KEYS[2], ARGV[3])
return ARGV[2]
`

/**
 * KEYS: set. ARGV: print, token, cap, how long to keep the set in ms, keys. Completes a set that was begun with the token;
 * does nothing to any other.
 */
export const FINISH_LUA = `${ADD_LUA}
local mark = '!b:' .. ARGV[1] .. ':' .. ARGV[2]
if redis.call('ZRANGE', KEYS[1], 0, 0)[1] ~= mark then return 0 end
add(KEYS[1], tonumber(ARGV[3]), 5)
redis.call('ZREM', KEYS[1], mark)
redis.call('ZADD', KEYS[1], 0, '!r:' .. ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1
`
