import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { useState } from 'preact/hooks'
import { asRequestError } from '../../graphql/request-error.ts'
import { request } from '../../graphql/session.ts'
import { findUserErrors } from '../../graphql/user-problem.ts'
import { userErrorText } from '../../ui/form-errors.tsx'
import { showToast } from '../../ui/toast.tsx'
import { messages } from './messages.ts'

/**
 * A mutation without a form, such as a press in a menu: what goes wrong is told in a toast. `run` answers whether it was
 * done; of a conflict it says that the newest is shown, so reload then as well.
 */
export function useAction<Data, Variables extends Record<string, unknown>>(
  document: TypedDocumentNode<Data, Variables>,
) {
  const [isRunning, setRunning] = useState(false)
  const run = async (variables: Variables, done?: string): Promise<boolean> => {
    setRunning(true)
    try {
      const { data } = await request(document, variables)
      const [problem] = findUserErrors(data)
      if (problem !== undefined) {
        showToast('error', problem.code === 'CONFLICT' ? messages.changedMeanwhile : userErrorText(problem))
        return false
      }
      if (done !== undefined) showToast('success', done)
      return true
    } catch (error) {
      showToast('error', asRequestError(error).text)
      return false
    } finally {
      setRunning(false)
    }
  }
  return { run, isRunning }
}
