/** Passes the failure of `work` on as the fault of a setting, named as people set it. */
export async function blame<T>(setting: string, work: Promise<T>): Promise<T> {
  return await work.catch(cause => {
    throw new Error(`${setting} cannot be used.`, { cause })
  })
}
