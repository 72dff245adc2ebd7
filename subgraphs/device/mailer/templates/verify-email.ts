import { z } from 'zod'
import { code, type MailTemplate, paragraph } from './template.ts'

const params = z.object({ code: z.string().regex(/^[\w-]{4,64}$/) })

/** Asks for the code that proves that an address is read. */
export const verifyEmail: MailTemplate<z.infer<typeof params>> = {
  params,
  write: {
    ko: params => ({
      subject: '[NUVION] 이메일 인증 코드 안내',
      blocks: [
        paragraph('안녕하십니까. NUVION에 가입해 주셔서 감사합니다.'),
        paragraph('이메일 주소를 인증하시려면 화면에 아래 코드를 입력해 주시기 바랍니다.'),
        code(params.code),
        paragraph(
          '코드는 10분간 유효합니다. 다른 사람에게 알려 주지 마십시오. NUVION은 코드를 먼저 묻지 않습니다.',
        ),
        paragraph('본인이 가입을 요청하지 않으셨다면 이 메일을 무시하셔도 됩니다.'),
      ],
    }),
    en: params => ({
      subject: '[NUVION] Your verification code',
      blocks: [
        paragraph('Hello, and thank you for signing up for NUVION.'),
        paragraph('To verify your email address, enter this code where you signed up:'),
        code(params.code),
        paragraph(
          'It is valid for 10 minutes. Do not share it with anyone. NUVION will never ask you for it.',
        ),
        paragraph('If you did not sign up, you can safely ignore this email.'),
      ],
    }),
  },
}
