import { defineMessages } from '../../i18n/define-messages.ts'

export const messages = defineMessages({
  en: {
    welcome: 'Create a space',
    signIn: 'Sign in',
    signUp: 'Create an account',
    forgotPassword: 'Reset your password',
    resetPassword: 'Set a new password',
    verifyEmail: 'Prove your email address',
    invitation: 'Invitation',
  },
  ko: {
    welcome: '스페이스 만들기',
    signIn: '로그인',
    signUp: '회원 가입',
    forgotPassword: '비밀번호 재설정',
    resetPassword: '새 비밀번호 설정',
    verifyEmail: '이메일 주소 확인',
    invitation: '초대',
  },
})
