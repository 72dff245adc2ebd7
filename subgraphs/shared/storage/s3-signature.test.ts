import { describe, expect, it } from 'vitest'
import { presignS3 } from './s3-signature.ts'

const bucket = {
  endpoint: 'https://s3.amazonaws.com',
  region: 'us-east-1',
  bucket: 'examplebucket',
  accessKey: 'AKIAIOSFODNN7EXAMPLE',
  secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  isPathStyle: false,
}
const now = Date.UTC(2013, 4, 24)

describe('an S3 signature', () => {
  it('is the one of the example in the documentation of S3', () => {
    expect(presignS3(bucket, { method: 'GET', key: 'test.txt', expiresInMs: 86_400_000, now })).toBe(
      [
        'https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256',
        'X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request',
        'X-Amz-Date=20130524T000000Z',
        'X-Amz-Expires=86400',
        'X-Amz-SignedHeaders=host',
        'X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
      ].join('&'),
    )
  })

  it('names the bucket in the path or in the host, and the token of temporary credentials', () => {
    const url = (more: Partial<Parameters<typeof presignS3>[0]>) =>
      new URL(presignS3({ ...bucket, ...more }, { method: 'GET', key: 'a/b', expiresInMs: 1_000, now }))
    expect(url({})).toMatchObject({ host: 'examplebucket.s3.amazonaws.com', pathname: '/a/b' })
    const inPath = url({ isPathStyle: true, endpoint: 'http://minio:9000' })
    expect(inPath).toMatchObject({ origin: 'http://minio:9000', pathname: '/examplebucket/a/b' })
    expect(url({ sessionToken: 'a+b/c=' }).searchParams.get('X-Amz-Security-Token')).toBe('a+b/c=')
    expect(url({ sessionToken: 'x' }).searchParams.get('X-Amz-Signature')).not.toBe(
      url({ sessionToken: 'y' }).searchParams.get('X-Amz-Signature'),
    )
  })

  it('covers the headers that it is told of', () => {
    const headers = { 'content-type': 'video/mp4', 'content-length': '15' }
    const url = new URL(presignS3(bucket, { method: 'PUT', key: 'k', headers, expiresInMs: 1_000, now }))
    expect(url.searchParams.get('X-Amz-SignedHeaders')).toBe('content-length;content-type;host')
  })
})
