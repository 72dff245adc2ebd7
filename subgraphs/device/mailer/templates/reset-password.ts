import { z } from 'zod'
import { tokenLink } from './site-link.ts'
import { code, link, type MailTemplate, paragraph } from './template.ts'

const params = z.object({ token: z.string().regex(/^[\w.~-]{16,512}$/) })

/** Lets whoever reads the address choose a new password. */
export const resetPassword: MailTemplate<z.infer<typeof params>> = {
  params,
  write: {
    ko: ({ token }, site) => ({
      subject: '[NUVION] 비밀번호 재설정 안내',
      blocks: [
        paragraph('안녕하십니까. 고객님의 NUVION 계정에 대해 비밀번호 재설정이 요청되었습니다.'),
        paragraph(
          '아래 링크를 열어 새 비밀번호를 설정해 주시기 바랍니다. 링크는 1시간 동안 한 번만 사용하실 수 있습니다.',
        ),
        link('비밀번호 재설정', tokenLink('reset-password', token, site)),
        paragraph('링크가 열리지 않으면 재설정 화면에 아래 코드를 입력해 주시기 바랍니다.'),
        code(token),
        paragraph(
          '본인이 요청하지 않으셨다면 이 메일을 무시하셔도 됩니다. 비밀번호는 변경되지 않습니다. 링크와 코드를 다른 사람에게 알려 주지 마십시오.',
        ),
      ],
    }),
    en: ({ token }, site) => ({
      subject: '[NUVION] Reset your password',
      blocks: [
        paragraph('Hello. Someone asked to reset the password of your NUVION account.'),
        paragraph('Open this link to choose a new password. It can be used once, within an hour.'),
        link('Reset password', tokenLink('reset-password', token, site)),
        paragraph('If the link does not open, enter this code where you reset your password:'),
        code(token),
        paragraph(
          'If this was not you, you can safely ignore this email; your password will not change. Do not share the link or the code with anyone.',
        ),
      ],
    }),
  },
}
