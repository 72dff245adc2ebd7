import type { Pool, ResultSetHeader } from 'mysql2/promise'

/** A job of the site that one process does at a time, by a lease in the table `job_lease`. The database's clock decides. */
export interface JobLease {
  /**
   * Takes the lease when it is free, and the job was not done within `intervalMs`; with 0, whenever it was done. Answers
   * whether it is this owner's now.
   */
  acquire(intervalMs: number): Promise<boolean>
  /** Prolongs the lease; false when it is another's now. */
  renew(): Promise<boolean>
  /** Frees the lease; `isDone` notes that the job was done now. */
  release(isDone: boolean): Promise<void>
}

/**
 * Creates the lease of `owner`, a name of 1 to 64 characters that no other running process has; one that starts again
 * under its name has its lease back at once. Without a renewal it is free after `leaseSeconds`.
 */
export function createJobLease({
  pool,
  job,
  owner,
  leaseSeconds,
}: {
  pool: Pool
  job: string
  owner: string
  leaseSeconds: number
}): JobLease {
  const until = `NOW(3) + INTERVAL ${leaseSeconds} SECOND`
  let isKnown = false

  async function update(set: string, where: string, values: unknown[]): Promise<boolean> {
    const [result] = await pool.query<ResultSetHeader>(`UPDATE job_lease SET ${set} WHERE ${where}`, values)
    return result.affectedRows === 1
  }

  return {
    async acquire(intervalMs) {
      if (!isKnown) {
        const long = '2000-01-01 00:00:00.000'
        await pool.query(
          'INSERT INTO job_lease VALUES (?, ?, ?, ?) ON DUPLICATE KEY UPDATE job = VALUES(job)',
          [...[job, '', long, long]],
        )
        isKnown = true
      }
      return await update(
        `owner = ?, lease_until = ${until}`,
        'job = ? AND (lease_until < NOW(3) OR owner = ?) AND finished_at <= NOW(3) - INTERVAL ? MICROSECOND',
        [owner, job, owner, intervalMs * 1_000],
      )
    },
    renew: () => update(`lease_until = ${until}`, 'job = ? AND owner = ?', [job, owner]),
    async release(isDone) {
      const done = isDone ? ', finished_at = NOW(3)' : ''
      await update(`lease_until = NOW(3) - INTERVAL 1 SECOND${done}`, 'job = ? AND owner = ?', [job, owner])
    },
  }
}
