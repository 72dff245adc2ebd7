/** Narrows a list of devices; all given conditions hold at once. */
export type DeviceFilter = {
  /** Only devices whose video is, or is not, live. */
  broadcasting?: boolean | null | undefined;
  /** Only devices of this line. */
  lineId?: string | null | undefined;
  /** Only devices that are, or are not, online. */
  online?: boolean | null | undefined;
  /** Only devices of this process. */
  processId?: string | null | undefined;
  /** Only devices with this text in their code, name or model, in any case: 128 characters at most. Empty: all. */
  search?: string | null | undefined;
  /** Only devices whose newest state has this status. */
  status?: DeviceStatus | null | undefined;
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
