import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { spooledRequests } from '../../src/http/read-body.ts'
import { type Exchange, mayTakeLonger } from '../../src/rest/connections.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const minute = 60_000
/** Bytes of a minute at the minimum rate. */
const enough = 16 * minute

test('a file may take minutes while it arrives at its rate, and ends after the first minute in which it does not', () => {
  const request = Object.assign(new EventEmitter(), { socket: { bytesRead: enough }, complete: false })
  spooledRequests.add(request)
  const end = vi.fn()
  expect(mayTakeLonger({ request } as unknown as Exchange, minute, end)).toBe(true)
  for (const _ of [1, 2]) {
    request.socket.bytesRead += enough
    vi.advanceTimersByTime(minute)
  }
  expect(end).not.toHaveBeenCalled()
  request.socket.bytesRead += enough - 1
  vi.advanceTimersByTime(minute)
  expect(end).toHaveBeenCalledOnce()
  request.emit('close')
  expect(vi.getTimerCount()).toBe(0)
})

test.each([
  ['a file below its rate', true, enough - 1],
  ['a body in memory', false, enough],
])('%s may not take longer', (_, isSpooled, bytesRead) => {
  const request = Object.assign(new EventEmitter(), { socket: { bytesRead }, complete: false })
  if (isSpooled) spooledRequests.add(request)
  expect(mayTakeLonger({ request } as unknown as Exchange, minute, vi.fn())).toBe(false)
})
