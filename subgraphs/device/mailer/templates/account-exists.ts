import { z } from 'zod'
import { homeLink } from './site-link.ts'
import { link, type MailTemplate, paragraph } from './template.ts'

const params = z.object({})

/** Answers a sign-up with the address of an account, of which the sign-up itself says nothing. */
export const accountExists: MailTemplate<z.infer<typeof params>> = {
  params,
  write: {
    ko: (_, site) => ({
      subject: '[NUVION] 이미 가입된 이메일 주소입니다',
      blocks: [
        paragraph('안녕하십니까. 이 이메일 주소로 NUVION 회원 가입이 요청되었습니다.'),
        paragraph(
          '이 주소로 가입된 계정이 이미 있으므로 새 계정은 만들어지지 않았습니다. 기존 계정으로 로그인해 주시기 바랍니다.',
        ),
        link('NUVION 열기', homeLink(site)),
        paragraph('비밀번호가 기억나지 않으시면 로그인 화면에서 비밀번호를 재설정하실 수 있습니다.'),
        paragraph('본인이 요청하지 않으셨다면 이 메일을 무시하셔도 됩니다. 계정은 변경되지 않았습니다.'),
      ],
    }),
    en: (_, site) => ({
      subject: '[NUVION] You already have an account',
      blocks: [
        paragraph('Hello. Someone asked to sign up for NUVION with this email address.'),
        paragraph('You already have an account, so no new one was created. Please sign in to it.'),
        link('Open NUVION', homeLink(site)),
        paragraph('If you have forgotten your password, you can reset it where you sign in.'),
        paragraph('If this was not you, you can safely ignore this email. Your account has not changed.'),
      ],
    }),
  },
}
