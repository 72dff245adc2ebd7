/** Takes everything of a stream that ends. */
export async function takeAll<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const taken: T[] = []
  for await (const item of stream) taken.push(item)
  return taken
}
