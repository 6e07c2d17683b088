import { expect, test } from 'vitest'
import { formWithFiles } from '../../src/http/form.ts'

test.each<[disposition: string, field: string, filename: string]>([
  ['form-data; name="file"; filename="a.png"', 'file', 'a.png'],
  ['form-data; filename="a.png"; name="file"', 'file', 'a.png'],
  ['form-data; name=file; filename=a.png', 'file', 'a.png'],
  ['form-data;name="file";filename="a; name=b.png"', 'file', 'a; name=b.png'],
  ['form-data; name="file"; filename="a; filename=b.png"', 'file', 'a; filename=b.png'],
  ['form-data; name="file"; filename="a \\"b\\".png"', 'file', 'a "b".png'],
  ['form-data; NAME="file"; FileName="é.png"', 'file', 'é.png'],
  ['form-data; name="file"; name="other"; filename=""', 'file', ''],
])('a part with the disposition %s is the field %s with the file %j', async (disposition, field, filename) => {
  const body = Buffer.from(`--x\r\nContent-Disposition: ${disposition}\r\n\r\nhello\r\n--x--\r\n`)
  const { files } = await formWithFiles(body, 'multipart/form-data; boundary=x')
  expect([...files].map(([name, file]) => [name, file.filename])).toEqual([[field, filename]])
})
