import { z } from 'zod'
import { homeLink } from './site-link.ts'
import { link, type MailTemplate, paragraph } from './template.ts'

const params = z.object({})

/** Tells the owner of an account that its password is another one now. */
export const passwordChanged: MailTemplate<z.infer<typeof params>> = {
  params,
  write: {
    ko: (_, site) => ({
      subject: '[NUVION] 비밀번호가 변경되었습니다',
      blocks: [
        paragraph('안녕하십니까. 고객님의 NUVION 계정 비밀번호가 변경되었습니다.'),
        paragraph('본인이 변경하셨다면 별도로 조치하실 사항은 없습니다.'),
        paragraph(
          '본인이 변경하지 않으셨다면 즉시 로그인 화면에서 비밀번호를 재설정하시고 관리자에게 알려 주시기 바랍니다.',
        ),
        link('NUVION 열기', homeLink(site)),
      ],
    }),
    en: (_, site) => ({
      subject: '[NUVION] Your password was changed',
      blocks: [
        paragraph('Hello. The password of your NUVION account was changed.'),
        paragraph('If you changed it, there is nothing more to do.'),
        paragraph(
          'If you did not, reset your password where you sign in at once, and tell your administrator.',
        ),
        link('Open NUVION', homeLink(site)),
      ],
    }),
  },
}
