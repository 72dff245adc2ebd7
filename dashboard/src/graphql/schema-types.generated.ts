/** The invitation to accept. */
export type AcceptInvitationInput = {
  /** The token of the mail: good for 7 days, and once. */
  token: string;
};

/** Where the work on an anomaly stands. */
export type AnomalyStatus =
  /** Somebody takes care of it. */
  | 'ACKNOWLEDGED'
  /** Nobody takes care of it. */
  | 'OPEN'
  /** It is over, as a person or the device has said. */
  | 'RESOLVED';

/** How far a broadcast is. */
export type BroadcastStatus =
  /** It is over. */
  | 'ENDED'
  /** Media flows. */
  | 'LIVE'
  /** Media has flowed, and does not now. */
  | 'STALLED'
  /** It is opened, and nothing has come yet. */
  | 'STARTING';

/** The space to make. */
export type CreateSpaceInput = {
  /** Name of the site: 1 to 128 characters that can be seen. */
  name: string;
  /** IANA time zone of the site, such as Asia/Seoul. */
  timezone: string;
};

/** What a device says of its work. */
export type DeviceStatus =
  /** Cannot work. */
  | 'ERROR'
  /** Ready, not working. */
  | 'IDLE'
  /** Working. */
  | 'RUNNING'
  /** Switched off on purpose. */
  | 'STOPPED'
  /** The device cannot tell. */
  | 'UNKNOWN';

/** Languages that people are written to in. */
export type Locale =
  /** English. */
  | 'EN'
  /** Korean. */
  | 'KO';

/** Whose password to reset. */
export type RequestPasswordResetInput = {
  /** Address of the account. */
  email: string;
};

/** Where to mail a new code. */
export type ResendVerificationInput = {
  /** The address to prove. */
  email: string;
};

/** A new password for who has been mailed a token. */
export type ResetPasswordInput = {
  /** New password: 10 to 128 characters, not the address. */
  newPassword: string;
  /** The token of the newest mail: good for one hour, and once. */
  token: string;
};

/** What a member may do in a space. */
export type Role =
  /** Everything but what concerns owners and admins. */
  | 'ADMIN'
  /** Reads; the role for working through anomalies. */
  | 'OPERATOR'
  /** Everything, including handing the space over. */
  | 'OWNER'
  /** Reads. */
  | 'VIEWER';

/** How grave an anomaly is. */
export type Severity =
  /** Look at it now. */
  | 'CRITICAL'
  /** Good to know. */
  | 'INFO'
  /** Look at it soon. */
  | 'MAJOR'
  /** Look at it some time. */
  | 'MINOR';

/** Who signs in. */
export type SignInInput = {
  /**
   * For browsers: the refresh token goes into an HttpOnly cookie instead of the payload, where no script can read it. Over
   * HTTP only, and for pages of this origin only (FORBIDDEN).
   */
  cookie?: boolean | null | undefined;
  /** Address, in any case. */
  email: string;
  /** Password. */
  password: string;
};

/** Which sessions to end. */
export type SignOutInput = {
  /** All of the caller's sessions, on all their devices, instead of this one. */
  everywhere?: boolean | null | undefined;
};

/** Who signs up. */
export type SignUpInput = {
  /** Address, in any case. One @, no spaces inside, 254 characters at most. */
  email: string;
  /** Language of mails. */
  locale?: Locale | null | undefined;
  /** Name shown to others: 1 to 128 characters that can be seen. */
  name: string;
  /** Password: 10 to 128 characters, not the address. */
  password: string;
};

/** Kinds of problems that the caller can mend. */
export type UserErrorCode =
  /** A value is missing, malformed or out of range. */
  | 'BAD_USER_INPUT'
  /** Something of this name exists, or changed meanwhile. */
  | 'CONFLICT'
  /** The caller's own address has to be proven first: see verifyEmail. */
  | 'EMAIL_NOT_VERIFIED'
  /** The address and password do not belong together. */
  | 'INVALID_CREDENTIALS'
  /** The token or code is unknown, used, expired or revoked. */
  | 'INVALID_TOKEN'
  /** There are as many as there may be. */
  | 'LIMIT_REACHED'
  /** What the input refers to does not exist for the caller. */
  | 'NOT_FOUND';

/** The proof of an address. */
export type VerifyEmailInput = {
  /** The six digits of the newest mail: good for 10 minutes and 5 guesses. */
  code: string;
  /** The address to prove. */
  email: string;
};
