/**
 * A link to a recording as the page may use it. Links of the product itself are read where the page came from: a product
 * that was not told its public address names itself localhost. Those of a bucket stay as they are.
 */
export function toClipLink(url: string): string {
  const { pathname, search, searchParams } = new URL(url, location.href)
  return pathname.startsWith('/clips/') && searchParams.has('signature') ? pathname + search : url
}
