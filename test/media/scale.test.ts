import { describe, expect, test } from 'vitest'
import { fitInto, thumbnailSize } from '../../src/media/scale.ts'

test.each([
  [1600, 1200, 800, 600],
  [1024, 1376, 446, 599],
  [1173, 1032, 681, 599],
  [2925, 1950, 800, 533],
  [640, 480, 640, 480],
  [800, 600, 800, 600],
  [801, 10, 800, 10],
  [100_000, 1, 800, 1],
  [1, 100_000, 1, 600],
])('%i by %i is shown %i by %i', (width, height, wide, high) => {
  expect(fitInto({ width, height }, { width: 800, height: 600 })).toEqual({ width: wide, height: high })
})

describe('a thumbnail', () => {
  const size = { width: 1600, height: 1200 }
  const photo = { exact: [800], grows: false, shown: true }
  const drawing = { exact: [], grows: true, shown: true }
  const scan = { exact: [], grows: false, shown: false }

  test.each([
    [1, 20],
    [250, 250],
    [251, 330],
    [800, 800],
    [799, 960],
  ])('requested at %i pixels is created at %i', (asked, width) => {
    expect(thumbnailSize(size, asked, photo)).toEqual({ width, height: Math.round(width * 0.75) })
  })

  test('of a photograph is never enlarged', () => {
    expect(thumbnailSize(size, 1300, photo)).toBe(null)
    expect(thumbnailSize(size, 1_000_000, photo)).toBe(null)
  })

  test('of a drawing may be larger, up to a limit', () => {
    expect(thumbnailSize({ width: 10, height: 10 }, 500, drawing)).toEqual({ width: 500, height: 500 })
    expect(thumbnailSize({ width: 10, height: 10 }, 1_000_000, drawing)?.width).toBe(3840)
    expect(thumbnailSize({ width: 10, height: 1000 }, 3840, drawing)).toEqual({ width: 40, height: 4000 })
  })

  test('of a type that browsers do not show is always created', () => {
    expect(thumbnailSize(size, 5000, scan)).toEqual(size)
  })
})
