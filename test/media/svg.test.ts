import { expect, test } from 'vitest'
import { isSvg, svgSize } from '../../src/media/svg.ts'
import { svg } from './_files.ts'

test.each([
  ['width="40" height="30"', 40, 30],
  ['width="40px" height=\'30.4\'', 40, 30],
  ['width="2cm" height="1in"', 71, 90],
  ['width="10mm" height="72pt"', 35, 90],
  ['viewBox="0 0 24 12"', 512, 256],
  ['viewBox="0,0,24,12" width="48"', 48, 24],
  ['viewBox="0 0 24 12" height="48"', 96, 48],
  ['viewBox="0 0 24 12" width="50%"', 256, 128],
  ['viewBox="0 0 24 12" width="auto" height="100"', 200, 100],
  ['viewBox="0 0 -1 0"', 512, 512],
  ['width="1e3" height="5e-1"', 1000, 1],
  ['', 512, 512],
])('%s is %i by %i', (attributes, width, height) => {
  expect(svgSize(svg(attributes))).toEqual({ width, height })
})

test.each([
  ['<?xml version="1.0"?>\n<!-- a > b -->\n'],
  ['\ufeff<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/x.dtd" [ <!ENTITY ns "http://x"> ]>'],
])('is found after %j', before => {
  expect(svgSize(svg('width="4" height="3"', before))).toEqual({ width: 4, height: 3 })
})

test('may have a prefix, or be written in UTF-16', () => {
  expect(svgSize(Buffer.from('<x:svg xmlns:x="http://www.w3.org/2000/svg" width="4" height="3"/>'))).toEqual({
    width: 4,
    height: 3,
  })
  expect(isSvg(Buffer.from('\ufeff<svg width="4" height="3"/>', 'utf16le'))).toBe(true)
})

test.each([['<html><svg width="4" height="3"/></html>'], ['text <svg/>'], ['<!-- <svg/>'], ['<svgx/>'], ['']])(
  '%j is no drawing',
  text => {
    expect(isSvg(Buffer.from(text))).toBe(false)
  },
)

test.each([['width="0" height="0"'], ['width="1e99" height="1"'], ['width="99999999" height="1"']])(
  '%s gives what can be shown',
  attributes => {
    const size = svgSize(svg(attributes))
    expect(size === null || (size.width >= 1 && size.height >= 1 && size.width <= 1_000_000)).toBe(true)
  },
)

test('hostile text is scanned in one pass', () => {
  const texts = [
    ' '.repeat(300_000),
    '<!--'.repeat(90_000),
    '<!DOCTYPE '.repeat(30_000),
    `<svg ${'a '.repeat(150_000)}`,
  ]
  for (const text of texts) expect(svgSize(Buffer.from(text))?.width ?? 512).toBe(512)
  for (const text of [`<svg ${'a="'.repeat(90_000)}`, `<svg width="${'1'.repeat(200_000)}"/>`]) {
    expect(svgSize(Buffer.from(text))).toEqual({ width: 512, height: 512 })
  }
})
