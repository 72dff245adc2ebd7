/** The invitation to accept. */
export type AcceptInvitationInput = {
  /** The token of the mail: good for 7 days, and once. */
  token: string;
};

/** What anomalies can be counted apart by. */
export type AnomalyReportGroup =
  /** The device. */
  | 'DEVICE'
  /** The line that the device stood on when it happened. */
  | 'LINE'
  /** The process that the device served when it happened. */
  | 'PROCESS'
  /** Severity of the occurrence itself. */
  | 'SEVERITY'
  /** Type of the anomaly. */
  | 'TYPE';

/** Where the work on an anomaly stands. */
export type AnomalyStatus =
  /** Somebody takes care of it. */
  | 'ACKNOWLEDGED'
  /** Nobody takes care of it. */
  | 'OPEN'
  /** It is over, as a person or the device has said. */
  | 'RESOLVED';

/** What availability can be told apart by. */
export type AvailabilityReportGroup =
  /** The device. */
  | 'DEVICE'
  /** The line that the device stands on now. */
  | 'LINE'
  /** The process that the device serves now. */
  | 'PROCESS';

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

/** What an exported report can count apart by. */
export type ExportGroup =
  /** The device. */
  | 'DEVICE'
  /** Level of the log; of LOG_REPORT alone. */
  | 'LEVEL'
  /** The line that the device stood on then. */
  | 'LINE'
  /** The process that the device served then. */
  | 'PROCESS'
  /** Severity of the occurrence; of ANOMALY_REPORT alone. */
  | 'SEVERITY'
  /** Type of the anomaly; of ANOMALY_REPORT alone. */
  | 'TYPE';

/** What an exported file has rows of. */
export type ExportKind =
  /** Occurrences of anomalies, one by one. */
  | 'ANOMALIES'
  /** Counts, as in anomalyReport. */
  | 'ANOMALY_REPORT'
  /** Logs, one by one. */
  | 'LOGS'
  /** Counts, as in logReport. */
  | 'LOG_REPORT';

/** What to export. All given conditions hold at once. */
export type ExportReportInput = {
  /** Whether the file begins with a byte order mark, by which some spreadsheets know that it is UTF-8. */
  bom?: boolean;
  /** Only events of these devices, 100 at most; of ANOMALIES and LOGS, as all conditions. */
  deviceIds?: Array<string> | null | undefined;
  /** Begin of the range. */
  from: string;
  /** What a report counts apart; a group that has nothing in a bucket has no row there. */
  groupBy?: Array<ExportGroup> | null | undefined;
  /** Length of a bucket; of reports alone. */
  interval?: ReportInterval | null | undefined;
  /** What the file has rows of. */
  kind: ExportKind;
  /** Only logs of these levels; of LOGS alone. */
  levels?: Array<LogLevel> | null | undefined;
  /** Only events of devices that stood on this line. */
  lineId?: string | null | undefined;
  /** Only events of devices that served this process. */
  processId?: string | null | undefined;
  /** Only occurrences of these severities; of ANOMALIES alone. */
  severities?: Array<Severity> | null | undefined;
  /** Id of the space. */
  spaceId: string;
  /** IANA name of the zone in which times are written, with their offset, and reports count; that of the space by default. */
  timezone?: string | null | undefined;
  /**
   * End of the range, after from. Events later than the moment of asking are left out; one that occurred before, and is
   * written while the file is read, is in the file when the reading has not come to its time yet. Reports have ranges as in
   * anomalyReport.
   */
  to: string;
  /** Only occurrences of these types, 20 at most; of ANOMALIES alone. */
  types?: Array<string> | null | undefined;
};

/** Languages that people are written to in. */
export type Locale =
  /** English. */
  | 'EN'
  /** Korean. */
  | 'KO';

/** How grave a log is. */
export type LogLevel =
  /** For those who build the device. */
  | 'DEBUG'
  /** Something failed. */
  | 'ERROR'
  /** As it should be. */
  | 'INFO'
  /** May need a look. */
  | 'WARN';

/** What logs can be counted apart by. */
export type LogReportGroup =
  /** The device. */
  | 'DEVICE'
  /** How grave the log is. */
  | 'LEVEL'
  /** The line that the device stood on when it was written. */
  | 'LINE'
  /** The process that the device served when it was written. */
  | 'PROCESS';

/** Length of a bucket: a piece of the site's calendar, so that a day is 23 or 25 hours long where clocks change. */
export type ReportInterval =
  /** From midnight to midnight. */
  | 'DAY'
  /** From one full hour of the clock to the next. */
  | 'HOUR'
  /** From the first of a month to the first of the next. */
  | 'MONTH'
  /** From Monday to Monday. */
  | 'WEEK';

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

/** What answers to anomalies can be told apart by. */
export type ResponseReportGroup =
  /** The device. */
  | 'DEVICE'
  /** The line that the device stood on when the anomaly was raised. */
  | 'LINE'
  /** The process that the device served when the anomaly was raised. */
  | 'PROCESS'
  /** The greatest severity that the anomaly has had. */
  | 'SEVERITY'
  /** Type of the anomaly. */
  | 'TYPE';

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
