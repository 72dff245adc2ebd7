import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { UserParent, SpaceParent, SpaceConnectionParent, MembershipParent, MembershipConnectionParent, InvitationParent, InvitationConnectionParent, AuditEntryParent, AuditEntryConnectionParent, LineParent, ProcessParent, DeviceParent, DeviceConnectionParent, RegisteredDeviceParent, DeviceStateParent, DeviceConnectivityParent, StatusChangeParent, MetricSampleParent, StateHistoryItemParent, StateHistoryConnectionParent } from './model.ts';
import type { SubgraphContext } from './context.ts';
export type Maybe<T> = T | null;
export type InputMaybe<T> = T | null | undefined;
export type Omit<T, K extends keyof T> = Pick<T, Exclude<keyof T, K>>;
export type RequireFields<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: NonNullable<T[P]> };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /** A moment in time, ISO-8601 with offset; answers are in UTC with milliseconds. */
  DateTime: { input: Date; output: Date; }
  /** Any JSON value. */
  JSON: { input: Record<string, unknown>; output: Record<string, unknown>; }
  _FieldSet: { input: unknown; output: unknown; }
};

/** The invitation to accept. */
export type AcceptInvitationInput = {
  /** The token of the mail: good for 7 days, and once. */
  token: Scalars['String']['input'];
};

/** The space that the caller is a member of now, or why they are not. */
export type AcceptInvitationPayload = {
  __typename?: 'AcceptInvitationPayload';
  /** The space. */
  space: Maybe<Space>;
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

/** A change that somebody has made in a space. */
export type AuditEntry = {
  __typename?: 'AuditEntry';
  /**
   * What was done: space.created, space.updated, space.deleted, space.restored, ownership.transferred, member.invited,
   * invitation.revoked, member.joined, member.role-changed, member.removed, member.left, line.created, line.updated,
   * line.deleted, process.created, process.updated, process.deleted, device.registered, device.updated, device.removed,
   * device.credential-rotated. More will come.
   */
  action: Scalars['String']['output'];
  /** Who. Null: the system itself. */
  actor: Maybe<User>;
  /** By the name of what has changed: `{ from, to }`, or the value when it has no former one. Null: nothing more to say. */
  details: Maybe<Scalars['JSON']['output']>;
  /** UUIDv7. */
  id: Scalars['ID']['output'];
  /** When. */
  occurredAt: Scalars['DateTime']['output'];
  /** Id of what it was done to. */
  targetId: Maybe<Scalars['ID']['output']>;
  /** What that was called then. */
  targetName: Maybe<Scalars['String']['output']>;
  /** Kind of what it was done to: space, user, invitation, line, process or device. */
  targetType: Scalars['String']['output'];
};

/** One page of changes. */
export type AuditEntryConnection = {
  __typename?: 'AuditEntryConnection';
  /** Changes with their cursors. */
  edges: Array<AuditEntryEdge>;
  /** The changes alone. */
  nodes: Array<AuditEntry>;
  /** Where this page stands. */
  pageInfo: PageInfo;
  /** How many there are in all; counted only when asked for. */
  totalCount: Maybe<Scalars['Int']['output']>;
};

/** A change in a page. */
export type AuditEntryEdge = {
  __typename?: 'AuditEntryEdge';
  /** Opaque position, stable under inserts. */
  cursor: Scalars['String']['output'];
  /** The change. */
  node: AuditEntry;
};

/** A new password for who knows the current one. */
export type ChangePasswordInput = {
  /** The password until now. */
  currentPassword: Scalars['String']['input'];
  /** New password: 10 to 128 characters, not the address. */
  newPassword: Scalars['String']['input'];
};

/** What came of the change. */
export type ChangePasswordPayload = {
  __typename?: 'ChangePasswordPayload';
  /** Whether the password is the new one now. */
  changed: Scalars['Boolean']['output'];
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

/** The line to make. */
export type CreateLineInput = {
  /** Name of the line: 1 to 128 characters that can be seen. Unique in its space, in whatever case. */
  name: Scalars['String']['input'];
  /** Where among the lines, from 0. Left out, or past the end: at the end. */
  position?: InputMaybe<Scalars['Int']['input']>;
  /** Id of the space. */
  spaceId: Scalars['ID']['input'];
};

/** The new line, or why there is none. */
export type CreateLinePayload = {
  __typename?: 'CreateLinePayload';
  /** The line. */
  line: Maybe<Line>;
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

/** The process to make. */
export type CreateProcessInput = {
  /** The line it belongs to. Left out: none, it stands for itself. */
  lineId?: InputMaybe<Scalars['ID']['input']>;
  /** Name of the process: 1 to 128 characters that can be seen. Unique on its line, in whatever case. */
  name: Scalars['String']['input'];
  /** Where among the processes of its line, from 0. Left out, or past the end: at the end. */
  position?: InputMaybe<Scalars['Int']['input']>;
  /** Id of the space. */
  spaceId: Scalars['ID']['input'];
};

/** The new process, or why there is none. */
export type CreateProcessPayload = {
  __typename?: 'CreateProcessPayload';
  /** The process. */
  process: Maybe<Process>;
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

/** The space to make. */
export type CreateSpaceInput = {
  /** Name of the site: 1 to 128 characters that can be seen. */
  name: Scalars['String']['input'];
  /** IANA time zone of the site, such as Asia/Seoul. */
  timezone: Scalars['String']['input'];
};

/** The new space, or why there is none. */
export type CreateSpacePayload = {
  __typename?: 'CreateSpacePayload';
  /** The space. */
  space: Maybe<Space>;
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

/** The line to delete. */
export type DeleteLineInput = {
  /** Id of the line. */
  lineId: Scalars['ID']['input'];
  /** The line that its devices and processes go to. Needed when it has any. */
  moveDevicesToLineId?: InputMaybe<Scalars['ID']['input']>;
  /** The version that the deletion is based on: CONFLICT when it is not the line's. */
  version?: InputMaybe<Scalars['Int']['input']>;
};

/** The deleted line, or why it is not. */
export type DeleteLinePayload = {
  __typename?: 'DeleteLinePayload';
  /** The line, as it was. */
  line: Maybe<Line>;
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

/** The process to delete. */
export type DeleteProcessInput = {
  /** The process that its devices go to, and its line. Needed when it has any. */
  moveDevicesToProcessId?: InputMaybe<Scalars['ID']['input']>;
  /** Id of the process. */
  processId: Scalars['ID']['input'];
  /** The version that the deletion is based on: CONFLICT when it is not the process's. */
  version?: InputMaybe<Scalars['Int']['input']>;
};

/** The deleted process, or why it is not. */
export type DeleteProcessPayload = {
  __typename?: 'DeleteProcessPayload';
  /** The process, as it was. */
  process: Maybe<Process>;
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

/** The space to delete. */
export type DeleteSpaceInput = {
  /** Id of the space. */
  spaceId: Scalars['ID']['input'];
};

/** The deleted space. */
export type DeleteSpacePayload = {
  __typename?: 'DeleteSpacePayload';
  /** The space; of what is in it nothing can be read. */
  space: Maybe<Space>;
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

/** A camera, sensor or controller. */
export type Device = {
  __typename?: 'Device';
  /** Whether its video is live. */
  broadcasting: Scalars['Boolean']['output'];
  /** Code printed on the device, unique in its space. */
  code: Scalars['String']['output'];
  /** Its newest reported connectivity. Null when it has never reported one. */
  connectivity: Maybe<DeviceConnectivity>;
  /** When it was registered. */
  createdAt: Scalars['DateTime']['output'];
  /** UUIDv7. */
  id: Scalars['ID']['output'];
  /** Its last life sign. Null when it has never connected. */
  lastSeenAt: Maybe<Scalars['DateTime']['output']>;
  /** The line it stands on. */
  line: Maybe<Line>;
  /** Maker's model. */
  model: Maybe<Scalars['String']['output']>;
  /** Name shown to people. */
  name: Scalars['String']['output'];
  /** Whether it has a live session. */
  online: Scalars['Boolean']['output'];
  /** The process it serves. */
  process: Maybe<Process>;
  /** The space it belongs to. */
  space: Space;
  /** Its newest reported state. Null when it has never reported one. */
  state: Maybe<DeviceState>;
  /**
   * What it was before, for plots: its changes of status by time, beginning with the status that it had at `from`, then
   * its metrics by name and time, a sample a minute.
   */
  stateHistory: Maybe<StateHistoryConnection>;
  /** Rises with every change of the device itself; changes name the one they are based on. */
  version: Scalars['Int']['output'];
};


/** A camera, sensor or controller. */
export type DeviceStateHistoryArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  from: Scalars['DateTime']['input'];
  to: Scalars['DateTime']['input'];
};

/** One page of devices. */
export type DeviceConnection = {
  __typename?: 'DeviceConnection';
  /** Devices with their cursors. */
  edges: Array<DeviceEdge>;
  /** The devices alone. */
  nodes: Array<Device>;
  /** Where this page stands. */
  pageInfo: PageInfo;
  /** How many there are in all; counted only when asked for. */
  totalCount: Maybe<Scalars['Int']['output']>;
};

/** A connectivity report of a device. */
export type DeviceConnectivity = {
  __typename?: 'DeviceConnectivity';
  /** Round trip to its server in milliseconds. */
  latencyMs: Maybe<Scalars['Float']['output']>;
  /** Kind of network, such as ETHERNET, WIFI or LTE. */
  network: Scalars['String']['output'];
  /** When the device reported it. */
  reportedAt: Scalars['DateTime']['output'];
  /** Signal strength in dBm. */
  signal: Maybe<Scalars['Int']['output']>;
};

/** How many devices a space has. */
export type DeviceCounts = {
  __typename?: 'DeviceCounts';
  /** Devices whose video is live. */
  broadcasting: Scalars['Int']['output'];
  /** Devices with a live session. */
  online: Scalars['Int']['output'];
  /** Registered devices. */
  total: Scalars['Int']['output'];
};

/** A device in a page. */
export type DeviceEdge = {
  __typename?: 'DeviceEdge';
  /** Opaque position, stable under inserts. */
  cursor: Scalars['String']['output'];
  /** The device. */
  node: Device;
};

/** Narrows a list of devices; all given conditions hold at once. */
export type DeviceFilter = {
  /** Only devices whose video is, or is not, live. */
  broadcasting?: InputMaybe<Scalars['Boolean']['input']>;
  /** Only devices of this line. */
  lineId?: InputMaybe<Scalars['ID']['input']>;
  /** Only devices that are, or are not, online. */
  online?: InputMaybe<Scalars['Boolean']['input']>;
  /** Only devices of this process. */
  processId?: InputMaybe<Scalars['ID']['input']>;
  /** Only devices with this text in their code, name or model, in any case: 128 characters at most. Empty: all. */
  search?: InputMaybe<Scalars['String']['input']>;
  /** Only devices whose newest state has this status. */
  status?: InputMaybe<DeviceStatus>;
};

/** Orders of devices. Those of the same name or moment are in the order of their registration. */
export type DeviceOrder =
  /** By code. */
  | 'CODE'
  /** By code, from the end. */
  | 'CODE_DESC'
  /** Those registered first come first. */
  | 'CREATED_AT'
  /** Those registered last come first. */
  | 'CREATED_AT_DESC'
  /** Those that went online or offline longest ago come first, those that never connected before them. */
  | 'LAST_SEEN_AT'
  /** Those that went online or offline last come first, those that never connected at the end. */
  | 'LAST_SEEN_AT_DESC'
  /** By name. */
  | 'NAME'
  /** By name, from the end. */
  | 'NAME_DESC';

/** A state that a device reported. */
export type DeviceState = {
  __typename?: 'DeviceState';
  /** Device-defined readings: an object. */
  metrics: Maybe<Scalars['JSON']['output']>;
  /** When the device reported it. */
  reportedAt: Scalars['DateTime']['output'];
  /** What the device says of its work. */
  status: DeviceStatus;
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

/** A device and its credential. */
export type DeviceTokenInput = {
  /** Its credential. */
  credential: Scalars['String']['input'];
  /** Id of the device. */
  deviceId: Scalars['ID']['input'];
};

/** The token, or why there is none. */
export type DeviceTokenPayload = {
  __typename?: 'DeviceTokenPayload';
  /** When the token expires. */
  expiresAt: Maybe<Scalars['DateTime']['output']>;
  /** JWT for the Authorization header, of GraphQL and of STOMP's CONNECT; lives 24 hours. */
  token: Maybe<Scalars['String']['output']>;
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

/** An invitation to a space. */
export type Invitation = {
  __typename?: 'Invitation';
  /** When it was mailed. */
  createdAt: Scalars['DateTime']['output'];
  /** Whom it is for, and was mailed to. */
  email: Scalars['String']['output'];
  /** When it ends. */
  expiresAt: Scalars['DateTime']['output'];
  /** UUIDv7. */
  id: Scalars['ID']['output'];
  /** Who invited them. */
  invitedBy: Maybe<User>;
  /** What they will be. */
  role: Role;
};

/** One page of invitations. */
export type InvitationConnection = {
  __typename?: 'InvitationConnection';
  /** Invitations with their cursors. */
  edges: Array<InvitationEdge>;
  /** The invitations alone. */
  nodes: Array<Invitation>;
  /** Where this page stands. */
  pageInfo: PageInfo;
  /** How many there are in all; counted only when asked for. */
  totalCount: Maybe<Scalars['Int']['output']>;
};

/** An invitation in a page. */
export type InvitationEdge = {
  __typename?: 'InvitationEdge';
  /** Opaque position, stable under inserts. */
  cursor: Scalars['String']['output'];
  /** The invitation. */
  node: Invitation;
};

/** Whom to invite. */
export type InviteMemberInput = {
  /** Address, in any case. */
  email: Scalars['String']['input'];
  /** What they will be: not OWNER. */
  role: Role;
  /** Id of the space. */
  spaceId: Scalars['ID']['input'];
};

/** The invitation that is on its way, or why there is none. */
export type InviteMemberPayload = {
  __typename?: 'InviteMemberPayload';
  /** The invitation. */
  invitation: Maybe<Invitation>;
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

/** A production line. */
export type Line = {
  __typename?: 'Line';
  /** Devices of the line, by code. */
  devices: DeviceConnection;
  /** UUIDv7. */
  id: Scalars['ID']['output'];
  /** Name of the line. */
  name: Scalars['String']['output'];
  /** Order among the lines of the space, from 0, without gaps. */
  position: Scalars['Int']['output'];
  /** Processes of the line by position. */
  processes: Array<Process>;
  /** Rises with every change of the line itself; changes name the one they are based on. */
  version: Scalars['Int']['output'];
};


/** A production line. */
export type LineDevicesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
};

/** Languages that people are written to in. */
export type Locale =
  /** English. */
  | 'EN'
  /** Korean. */
  | 'KO';

/** A person's place in a space. */
export type Membership = {
  __typename?: 'Membership';
  /** When they became a member. */
  joinedAt: Scalars['DateTime']['output'];
  /** What they may do. */
  role: Role;
  /** Who. */
  user: User;
};

/** One page of members. */
export type MembershipConnection = {
  __typename?: 'MembershipConnection';
  /** Members with their cursors. */
  edges: Array<MembershipEdge>;
  /** The members alone. */
  nodes: Array<Membership>;
  /** Where this page stands. */
  pageInfo: PageInfo;
  /** How many there are in all; counted only when asked for. */
  totalCount: Maybe<Scalars['Int']['output']>;
};

/** A member in a page. */
export type MembershipEdge = {
  __typename?: 'MembershipEdge';
  /** Opaque position, stable under inserts. */
  cursor: Scalars['String']['output'];
  /** The member. */
  node: Membership;
};

/** What a metric of a device was in a minute. */
export type MetricSample = {
  __typename?: 'MetricSample';
  /** Beginning of the minute. */
  at: Scalars['DateTime']['output'];
  /** Name of the metric, as in `DeviceState.metrics`. */
  key: Scalars['String']['output'];
  /** The last value of the minute. */
  last: Scalars['Float']['output'];
  /** The greatest value of the minute. */
  max: Scalars['Float']['output'];
  /** The smallest value of the minute. */
  min: Scalars['Float']['output'];
};

export type Mutation = {
  __typename?: 'Mutation';
  /** Makes the caller a member of the space that they were invited to. Needs the invited address to be theirs, and proven. */
  acceptInvitation: AcceptInvitationPayload;
  /** Sets a new password for the caller, who knows the current one. Their other sessions end. */
  changePassword: ChangePasswordPayload;
  /** Makes a production line. A space has 200 at most. For admins and owners. */
  createLine: CreateLinePayload;
  /** Makes a step of production, on a line or for itself. A space has 2,000 at most. For admins and owners. */
  createProcess: CreateProcessPayload;
  /**
   * Makes a space that the caller owns. Needs a proven e-mail address. A person owns 50 spaces at most, deleted ones that
   * can be restored among them.
   */
  createSpace: CreateSpacePayload;
  /** Deletes a line. What happened on it keeps its name. For admins and owners. */
  deleteLine: DeleteLinePayload;
  /** Deletes a process. What happened at it keeps its name. For admins and owners. */
  deleteProcess: DeleteProcessPayload;
  /**
   * Deletes a space: nobody can reach anything in it any more, its devices neither. Its owner can restore it for 7 days;
   * then its members, topology and devices are gone for good. For its owner.
   */
  deleteSpace: DeleteSpacePayload;
  /** Trades a device's credential for a token that is good for 24 hours: for GraphQL and for STOMP. For the device itself. */
  deviceToken: DeviceTokenPayload;
  /**
   * Mails an invitation that is good for 7 days, once, and only for who has that address. It replaces the one that the
   * address has in this space. Admins invite up to operators, owners up to admins. A space has 200 open invitations at most.
   */
  inviteMember: InviteMemberPayload;
  /**
   * Trades a refresh token for a new pair. Using one token twice ends the whole session; only a cookie may be used again for
   * 10 seconds, so that tabs can refresh at once: it is answered with the same new one.
   */
  refreshSession: RefreshSessionPayload;
  /**
   * Registers a device and returns its credential, which is shown this once. A space has 20,000 devices at most. For admins
   * and owners.
   */
  registerDevice: RegisterDevicePayload;
  /**
   * Registers 500 devices at most, all of them or none, and returns their credentials, which are shown this once. For admins
   * and owners.
   */
  registerDevices: RegisterDevicesPayload;
  /**
   * Removes a device: it can connect no more, its session ends, and its code is free. What it reported stays, and keeps its
   * name. For admins and owners.
   */
  removeDevice: RemoveDevicePayload;
  /**
   * Removes a member. Admins remove those up to operators, owners those up to admins; everyone may remove themselves, but for
   * the last owner.
   */
  removeMember: RemoveMemberPayload;
  /**
   * Mails a token that sets a new password, not more often than once in 60 seconds. The answer does not tell whether there
   * is such an account.
   */
  requestPasswordReset: RequestPasswordResetPayload;
  /**
   * Mails a new code to an address that is not proven yet, not more often than once in 60 seconds; the former code is dead
   * then. The answer does not tell whether there is such an account.
   */
  resendVerification: ResendVerificationPayload;
  /** Sets a new password with a token from a mail. All sessions of the account end. */
  resetPassword: ResetPasswordPayload;
  /** Restores a space that was deleted less than 7 days ago, as it was. For its owner. */
  restoreSpace: RestoreSpacePayload;
  /** Takes an invitation back. Admins take back those up to operators, owners those up to admins. */
  revokeInvitation: RevokeInvitationPayload;
  /**
   * Makes a new credential for a device, which is shown this once. The one until now stays good for a while, older ones do
   * not; without such a while the device's session ends, and tokens that it was given are refused. For admins and owners.
   */
  rotateDeviceCredential: RotateDeviceCredentialPayload;
  /**
   * Begins a session. A wrong address and a wrong password get the same answer. Who has not proven their address may sign
   * in: emailVerified is false then, and they can neither make spaces nor accept invitations.
   */
  signIn: SignInPayload;
  /**
   * Ends the session of the caller, or all of theirs. Access tokens of an ended session are refused, and a browser's refresh
   * cookie is taken away.
   */
  signOut: SignOutPayload;
  /**
   * Makes an account and mails a code to its address, for verifyEmail. The answer does not tell whether the address has an
   * account: who owns it is mailed so.
   */
  signUp: SignUpPayload;
  /** Makes another member the owner of a space; the caller becomes an admin. For its owner. */
  transferOwnership: TransferOwnershipPayload;
  /** Changes a device: what it is called, and where it stands. For admins and owners. */
  updateDevice: UpdateDevicePayload;
  /** Renames or moves a line. For admins and owners. */
  updateLine: UpdateLinePayload;
  /**
   * Gives a member another role. Admins change those up to operators, owners those up to admins; everyone may take less for
   * themselves. Ownership is handed over by transferOwnership.
   */
  updateMemberRole: UpdateMemberRolePayload;
  /** Renames or moves a process, to another line too: its devices go with it. For admins and owners. */
  updateProcess: UpdateProcessPayload;
  /** Changes a space: its name and time zone by its owner, its retention by admins too. */
  updateSpace: UpdateSpacePayload;
  /**
   * Proves the address of an account with the code that was mailed to it. No session is needed, and none begins. Only when
   * there was more than one sign-up for the address, it takes a session of the account, so that nobody proves a password that
   * somebody else has set: CONFLICT otherwise.
   */
  verifyEmail: VerifyEmailPayload;
};


export type MutationAcceptInvitationArgs = {
  input: AcceptInvitationInput;
};


export type MutationChangePasswordArgs = {
  input: ChangePasswordInput;
};


export type MutationCreateLineArgs = {
  input: CreateLineInput;
};


export type MutationCreateProcessArgs = {
  input: CreateProcessInput;
};


export type MutationCreateSpaceArgs = {
  input: CreateSpaceInput;
};


export type MutationDeleteLineArgs = {
  input: DeleteLineInput;
};


export type MutationDeleteProcessArgs = {
  input: DeleteProcessInput;
};


export type MutationDeleteSpaceArgs = {
  input: DeleteSpaceInput;
};


export type MutationDeviceTokenArgs = {
  input: DeviceTokenInput;
};


export type MutationInviteMemberArgs = {
  input: InviteMemberInput;
};


export type MutationRefreshSessionArgs = {
  input: RefreshSessionInput;
};


export type MutationRegisterDeviceArgs = {
  input: RegisterDeviceInput;
};


export type MutationRegisterDevicesArgs = {
  input: RegisterDevicesInput;
};


export type MutationRemoveDeviceArgs = {
  input: RemoveDeviceInput;
};


export type MutationRemoveMemberArgs = {
  input: RemoveMemberInput;
};


export type MutationRequestPasswordResetArgs = {
  input: RequestPasswordResetInput;
};


export type MutationResendVerificationArgs = {
  input: ResendVerificationInput;
};


export type MutationResetPasswordArgs = {
  input: ResetPasswordInput;
};


export type MutationRestoreSpaceArgs = {
  input: RestoreSpaceInput;
};


export type MutationRevokeInvitationArgs = {
  input: RevokeInvitationInput;
};


export type MutationRotateDeviceCredentialArgs = {
  input: RotateDeviceCredentialInput;
};


export type MutationSignInArgs = {
  input: SignInInput;
};


export type MutationSignOutArgs = {
  input?: InputMaybe<SignOutInput>;
};


export type MutationSignUpArgs = {
  input: SignUpInput;
};


export type MutationTransferOwnershipArgs = {
  input: TransferOwnershipInput;
};


export type MutationUpdateDeviceArgs = {
  input: UpdateDeviceInput;
};


export type MutationUpdateLineArgs = {
  input: UpdateLineInput;
};


export type MutationUpdateMemberRoleArgs = {
  input: UpdateMemberRoleInput;
};


export type MutationUpdateProcessArgs = {
  input: UpdateProcessInput;
};


export type MutationUpdateSpaceArgs = {
  input: UpdateSpaceInput;
};


export type MutationVerifyEmailArgs = {
  input: VerifyEmailInput;
};

/** A device to register. */
export type NewDeviceInput = {
  /** Code printed on the device, unique in its space: 1 to 64 characters. */
  code: Scalars['String']['input'];
  /** The line it stands on. Left out: that of its process. */
  lineId?: InputMaybe<Scalars['ID']['input']>;
  /** Maker's model: at most 128 characters. */
  model?: InputMaybe<Scalars['String']['input']>;
  /** Name shown to people: 1 to 128 characters. */
  name: Scalars['String']['input'];
  /** The process it serves. */
  processId?: InputMaybe<Scalars['ID']['input']>;
};

/** Where a page stands in its list. */
export type PageInfo = {
  __typename?: 'PageInfo';
  /** Cursor of the last edge; null when the page is empty. */
  endCursor: Maybe<Scalars['String']['output']>;
  /** Whether there is more after this page. */
  hasNextPage: Scalars['Boolean']['output'];
  /** Whether there is more before this page. */
  hasPreviousPage: Scalars['Boolean']['output'];
  /** Cursor of the first edge; null when the page is empty. */
  startCursor: Maybe<Scalars['String']['output']>;
};

/** A step of production, on a line or for itself. */
export type Process = {
  __typename?: 'Process';
  /** Devices of the process, by code. */
  devices: DeviceConnection;
  /** UUIDv7. */
  id: Scalars['ID']['output'];
  /** The line it belongs to; null when it stands for itself. */
  line: Maybe<Line>;
  /** Name of the process. */
  name: Scalars['String']['output'];
  /** Order among the processes of its line, or among those that stand for themselves, from 0, without gaps. */
  position: Scalars['Int']['output'];
  /** Rises with every change of the process itself; changes name the one they are based on. */
  version: Scalars['Int']['output'];
};


/** A step of production, on a line or for itself. */
export type ProcessDevicesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
};

export type Query = {
  __typename?: 'Query';
  /** Who changed what in a space, newest first. For admins and owners. */
  auditLog: Maybe<AuditEntryConnection>;
  /** The deleted spaces that the signed-in user owns and can restore, those deleted last first. */
  deletedSpaces: Maybe<Array<Space>>;
  /** One device. Null when it does not exist or the caller may not see its space. */
  device: Maybe<Device>;
  /** One device by the code printed on it. Null when it does not exist or the caller may not see its space. */
  deviceByCode: Maybe<Device>;
  /** One space. Null when it does not exist or the caller is not a member of it. */
  space: Maybe<Space>;
  /** The spaces the signed-in user is a member of, by name. */
  spaces: SpaceConnection;
  /** The signed-in user. Null when the caller is not a signed-in user. The answer depends on who asks. */
  viewer: Maybe<User>;
};


export type QueryAuditLogArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  spaceId: Scalars['ID']['input'];
};


export type QueryDeviceArgs = {
  id: Scalars['ID']['input'];
};


export type QueryDeviceByCodeArgs = {
  code: Scalars['String']['input'];
  spaceId: Scalars['ID']['input'];
};


export type QuerySpaceArgs = {
  id: Scalars['ID']['input'];
};


export type QuerySpacesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
};

/** The token to trade: either in the payload or in the cookie. */
export type RefreshSessionInput = {
  /** Takes the refresh token from the cookie, and puts the next one there; see SignInInput.cookie. */
  cookie?: InputMaybe<Scalars['Boolean']['input']>;
  /** The newest refresh token of the session. */
  refreshToken?: InputMaybe<Scalars['String']['input']>;
};

/** The new pair of tokens, or why there is none. */
export type RefreshSessionPayload = {
  __typename?: 'RefreshSessionPayload';
  /** JWT for the Authorization header; lives 15 minutes. */
  accessToken: Maybe<Scalars['String']['output']>;
  /** When the access token expires. */
  expiresAt: Maybe<Scalars['DateTime']['output']>;
  /** Opaque token for the next refreshSession; single use, lives 30 days. Null when it is in the cookie. */
  refreshToken: Maybe<Scalars['String']['output']>;
  /** Whose session it is. */
  user: Maybe<User>;
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

/** The device to register. */
export type RegisterDeviceInput = {
  /** Code printed on the device, unique in its space: 1 to 64 characters. */
  code: Scalars['String']['input'];
  /** The line it stands on. Left out: that of its process. */
  lineId?: InputMaybe<Scalars['ID']['input']>;
  /** Maker's model: at most 128 characters. */
  model?: InputMaybe<Scalars['String']['input']>;
  /** Name shown to people: 1 to 128 characters. */
  name: Scalars['String']['input'];
  /** The process it serves. */
  processId?: InputMaybe<Scalars['ID']['input']>;
  /** Id of the space. */
  spaceId: Scalars['ID']['input'];
};

/** The registered device, or why there is none. */
export type RegisterDevicePayload = {
  __typename?: 'RegisterDevicePayload';
  /** Its secret for STOMP, shown this once. */
  credential: Maybe<Scalars['String']['output']>;
  /** The device. */
  device: Maybe<Device>;
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

/** The devices to register. */
export type RegisterDevicesInput = {
  /** 1 to 500 devices. What is wrong with one is named by its index, such as `devices.3.code`. */
  devices: Array<NewDeviceInput>;
  /** Id of the space. */
  spaceId: Scalars['ID']['input'];
};

/** The registered devices, or why there are none. */
export type RegisterDevicesPayload = {
  __typename?: 'RegisterDevicesPayload';
  /** The devices, in the order of the input. */
  registered: Maybe<Array<RegisteredDevice>>;
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

/** A device with its first credential. */
export type RegisteredDevice = {
  __typename?: 'RegisteredDevice';
  /** Its secret for STOMP, shown this once. */
  credential: Scalars['String']['output'];
  /** The device. */
  device: Device;
};

/** The device to remove. */
export type RemoveDeviceInput = {
  /** Id of the device. */
  deviceId: Scalars['ID']['input'];
};

/** The removed device, or why it is not. */
export type RemoveDevicePayload = {
  __typename?: 'RemoveDevicePayload';
  /** The device, as it was. */
  device: Maybe<Device>;
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

/** Who is to go. */
export type RemoveMemberInput = {
  /** Id of the space. */
  spaceId: Scalars['ID']['input'];
  /** Id of the member; one's own to leave. */
  userId: Scalars['ID']['input'];
};

/** The membership that has ended, or why it has not. */
export type RemoveMemberPayload = {
  __typename?: 'RemoveMemberPayload';
  /** The membership, as it was. */
  membership: Maybe<Membership>;
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

/** Whose password to reset. */
export type RequestPasswordResetInput = {
  /** Address of the account. */
  email: Scalars['String']['input'];
};

/** What came of the request: the same whether there is such an account or not. */
export type RequestPasswordResetPayload = {
  __typename?: 'RequestPasswordResetPayload';
  /** Whether the request was taken. */
  accepted: Scalars['Boolean']['output'];
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

/** Where to mail a new code. */
export type ResendVerificationInput = {
  /** The address to prove. */
  email: Scalars['String']['input'];
};

/** What came of the request: the same whether there is such an account or not. */
export type ResendVerificationPayload = {
  __typename?: 'ResendVerificationPayload';
  /** Whether the request was taken. */
  accepted: Scalars['Boolean']['output'];
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

/** A new password for who has been mailed a token. */
export type ResetPasswordInput = {
  /** New password: 10 to 128 characters, not the address. */
  newPassword: Scalars['String']['input'];
  /** The token of the newest mail: good for one hour, and once. */
  token: Scalars['String']['input'];
};

/** What came of the reset. */
export type ResetPasswordPayload = {
  __typename?: 'ResetPasswordPayload';
  /** Whether the password is the new one now. */
  changed: Scalars['Boolean']['output'];
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

/** The space to restore. */
export type RestoreSpaceInput = {
  /** Id of the space. */
  spaceId: Scalars['ID']['input'];
};

/** The restored space. */
export type RestoreSpacePayload = {
  __typename?: 'RestoreSpacePayload';
  /** The space. */
  space: Maybe<Space>;
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

/** The invitation to take back. */
export type RevokeInvitationInput = {
  /** Id of the invitation. */
  invitationId: Scalars['ID']['input'];
};

/** The invitation that was taken back, or why it was not. */
export type RevokeInvitationPayload = {
  __typename?: 'RevokeInvitationPayload';
  /** The invitation. */
  invitation: Maybe<Invitation>;
  /** What the caller can mend. */
  userErrors: Array<UserError>;
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

/** Of which device to make a new credential. */
export type RotateDeviceCredentialInput = {
  /** Id of the device. */
  deviceId: Scalars['ID']['input'];
  /** How many minutes the credential until now stays good, 10,080 at most. 0: it ends at once. */
  overlapMinutes?: InputMaybe<Scalars['Int']['input']>;
};

/** The new credential, or why there is none. */
export type RotateDeviceCredentialPayload = {
  __typename?: 'RotateDeviceCredentialPayload';
  /** Its new secret for STOMP, shown this once. */
  credential: Maybe<Scalars['String']['output']>;
  /** The device. */
  device: Maybe<Device>;
  /** Until when the one before is good. Null: it has ended. */
  previousValidUntil: Maybe<Scalars['DateTime']['output']>;
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

/** Who signs in. */
export type SignInInput = {
  /**
   * For browsers: the refresh token goes into an HttpOnly cookie instead of the payload, where no script can read it. Over
   * HTTP only, and for pages of this origin only (FORBIDDEN).
   */
  cookie?: InputMaybe<Scalars['Boolean']['input']>;
  /** Address, in any case. */
  email: Scalars['String']['input'];
  /** Password. */
  password: Scalars['String']['input'];
};

/** The new session, or why there is none. */
export type SignInPayload = {
  __typename?: 'SignInPayload';
  /** JWT for the Authorization header; lives 15 minutes. */
  accessToken: Maybe<Scalars['String']['output']>;
  /** When the access token expires. */
  expiresAt: Maybe<Scalars['DateTime']['output']>;
  /** Opaque token for refreshSession; single use, lives 30 days. Null when it is in the cookie. */
  refreshToken: Maybe<Scalars['String']['output']>;
  /** Who has signed in. */
  user: Maybe<User>;
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

/** Which sessions to end. */
export type SignOutInput = {
  /** All of the caller's sessions, on all their devices, instead of this one. */
  everywhere?: InputMaybe<Scalars['Boolean']['input']>;
};

/** The end of a session. */
export type SignOutPayload = {
  __typename?: 'SignOutPayload';
  /** Whether a session was ended. */
  signedOut: Scalars['Boolean']['output'];
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

/** Who signs up. */
export type SignUpInput = {
  /** Address, in any case. One @, no spaces inside, 254 characters at most. */
  email: Scalars['String']['input'];
  /** Language of mails. */
  locale?: InputMaybe<Locale>;
  /** Name shown to others: 1 to 128 characters that can be seen. */
  name: Scalars['String']['input'];
  /** Password: 10 to 128 characters, not the address. */
  password: Scalars['String']['input'];
};

/** What came of a sign-up: the same whether the address has an account or not. */
export type SignUpPayload = {
  __typename?: 'SignUpPayload';
  /** Whether the sign-up was taken, and a mail is on its way to whoever reads that address. */
  accepted: Scalars['Boolean']['output'];
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

/** A factory site: the unit of membership and of data. */
export type Space = {
  __typename?: 'Space';
  /** When the space was made. */
  createdAt: Scalars['DateTime']['output'];
  /** When it was deleted; it can be restored for 7 days. Null: it is not deleted. */
  deletedAt: Maybe<Scalars['DateTime']['output']>;
  /** Counts over all devices of the space. */
  deviceCounts: DeviceCounts;
  /** Devices of the space. */
  devices: DeviceConnection;
  /** UUIDv7. */
  id: Scalars['ID']['output'];
  /** Invitations that can still be accepted, by address. For admins and owners. */
  invitations: Maybe<InvitationConnection>;
  /** Lines by position. */
  lines: Array<Line>;
  /** Who is a member, in the order of their accounts' age. */
  members: MembershipConnection;
  /** Name of the site. */
  name: Scalars['String']['output'];
  /** Processes by position. */
  processes: Array<Process>;
  /** How many days what its devices report is kept. Null: as long as the site keeps it. */
  retentionDays: Maybe<Scalars['Int']['output']>;
  /** IANA time zone of the site. */
  timezone: Scalars['String']['output'];
  /** Rises with every change of the space; changes name the one they are based on. */
  version: Scalars['Int']['output'];
  /** The caller's role. Null for callers that are not users. The answer depends on who asks. */
  viewerRole: Maybe<Role>;
};


/** A factory site: the unit of membership and of data. */
export type SpaceDevicesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<DeviceFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<DeviceOrder>;
};


/** A factory site: the unit of membership and of data. */
export type SpaceInvitationsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
};


/** A factory site: the unit of membership and of data. */
export type SpaceMembersArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
};

/** One page of spaces. */
export type SpaceConnection = {
  __typename?: 'SpaceConnection';
  /** Spaces with their cursors. */
  edges: Array<SpaceEdge>;
  /** The spaces alone. */
  nodes: Array<Space>;
  /** Where this page stands. */
  pageInfo: PageInfo;
  /** How many there are in all; counted only when asked for. */
  totalCount: Maybe<Scalars['Int']['output']>;
};

/** A space in a page. */
export type SpaceEdge = {
  __typename?: 'SpaceEdge';
  /** Opaque position, stable under inserts. */
  cursor: Scalars['String']['output'];
  /** The space. */
  node: Space;
};

/** One page of a device's history. */
export type StateHistoryConnection = {
  __typename?: 'StateHistoryConnection';
  /** Items with their cursors. */
  edges: Array<StateHistoryEdge>;
  /** The items alone. */
  nodes: Array<StateHistoryItem>;
  /** Where this page stands. */
  pageInfo: PageInfo;
};

/** An item of a device's history in a page. */
export type StateHistoryEdge = {
  __typename?: 'StateHistoryEdge';
  /** Opaque position, stable under inserts. */
  cursor: Scalars['String']['output'];
  /** The item. */
  node: StateHistoryItem;
};

/** Something that a device was. */
export type StateHistoryItem = MetricSample | StatusChange;

/** A device said of its work what it had not said before. */
export type StatusChange = {
  __typename?: 'StatusChange';
  /** When it said so. */
  at: Scalars['DateTime']['output'];
  /** What it says since then. */
  status: DeviceStatus;
};

export type Subscription = {
  __typename?: 'Subscription';
  /** Each device of the space that goes online or offline. */
  devicePresenceChanged: Device;
  /** Each new state of the space's devices, newest state only. */
  deviceStateChanged: Device;
};


export type SubscriptionDevicePresenceChangedArgs = {
  spaceId: Scalars['ID']['input'];
};


export type SubscriptionDeviceStateChangedArgs = {
  deviceIds?: InputMaybe<Array<Scalars['ID']['input']>>;
  spaceId: Scalars['ID']['input'];
};

/** Whom to hand a space over to. */
export type TransferOwnershipInput = {
  /** Id of the space. */
  spaceId: Scalars['ID']['input'];
  /** Id of the member who becomes its owner. */
  userId: Scalars['ID']['input'];
};

/** The space that was handed over, or why it was not. */
export type TransferOwnershipPayload = {
  __typename?: 'TransferOwnershipPayload';
  /** The space. */
  space: Maybe<Space>;
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

/** What to change of a device; what is left out stays. */
export type UpdateDeviceInput = {
  /** Code printed on the device, unique in its space: 1 to 64 characters. */
  code?: InputMaybe<Scalars['String']['input']>;
  /** Id of the device. */
  deviceId: Scalars['ID']['input'];
  /** The line it stands on; null: none. A process of another line is given up. */
  lineId?: InputMaybe<Scalars['ID']['input']>;
  /** Maker's model: at most 128 characters. Null: unknown. */
  model?: InputMaybe<Scalars['String']['input']>;
  /** Name shown to people: 1 to 128 characters. */
  name?: InputMaybe<Scalars['String']['input']>;
  /** The process it serves, and with it that process's line; null: none. */
  processId?: InputMaybe<Scalars['ID']['input']>;
  /** The version that the change is based on: CONFLICT when it is not the device's. Left out, what others changed counts as known. */
  version?: InputMaybe<Scalars['Int']['input']>;
};

/** The changed device, or why it is not. */
export type UpdateDevicePayload = {
  __typename?: 'UpdateDevicePayload';
  /** The device. */
  device: Maybe<Device>;
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

/** What to change of a line; what is left out stays. */
export type UpdateLineInput = {
  /** Id of the line. */
  lineId: Scalars['ID']['input'];
  /** Name of the line: 1 to 128 characters that can be seen. Unique in its space, in whatever case. */
  name?: InputMaybe<Scalars['String']['input']>;
  /** Where among the lines, from 0; the others make room. Past the end: at the end. */
  position?: InputMaybe<Scalars['Int']['input']>;
  /** The version that the change is based on: CONFLICT when it is not the line's. Left out, what others changed counts as known. */
  version?: InputMaybe<Scalars['Int']['input']>;
};

/** The changed line, or why it is not. */
export type UpdateLinePayload = {
  __typename?: 'UpdateLinePayload';
  /** The line. */
  line: Maybe<Line>;
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

/** Who becomes what. */
export type UpdateMemberRoleInput = {
  /** The role that the change is based on: CONFLICT when it is not the member's. Left out, any. */
  expectedRole?: InputMaybe<Role>;
  /** The new role: not OWNER. */
  role: Role;
  /** Id of the space. */
  spaceId: Scalars['ID']['input'];
  /** Id of the member. */
  userId: Scalars['ID']['input'];
};

/** The changed membership, or why it is not. */
export type UpdateMemberRolePayload = {
  __typename?: 'UpdateMemberRolePayload';
  /** The membership. */
  membership: Maybe<Membership>;
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

/** What to change of a process; what is left out stays. */
export type UpdateProcessInput = {
  /** The line it goes to, and its devices with it; null: it stands for itself, and its devices stay on their line. */
  lineId?: InputMaybe<Scalars['ID']['input']>;
  /** Name of the process: 1 to 128 characters that can be seen. Unique on its line, in whatever case. */
  name?: InputMaybe<Scalars['String']['input']>;
  /** Where among the processes of its line, from 0; the others make room. Past the end, or left out when the line is another: at the end. */
  position?: InputMaybe<Scalars['Int']['input']>;
  /** Id of the process. */
  processId: Scalars['ID']['input'];
  /** The version that the change is based on: CONFLICT when it is not the process's. Left out, what others changed counts as known. */
  version?: InputMaybe<Scalars['Int']['input']>;
};

/** The changed process, or why it is not. */
export type UpdateProcessPayload = {
  __typename?: 'UpdateProcessPayload';
  /** The process. */
  process: Maybe<Process>;
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

/** What to change of a space; what is left out stays. */
export type UpdateSpaceInput = {
  /** Name of the site: 1 to 128 characters that can be seen. */
  name?: InputMaybe<Scalars['String']['input']>;
  /** Days to keep what devices report, from 1 to what the site keeps. Null: as long as the site keeps it. */
  retentionDays?: InputMaybe<Scalars['Int']['input']>;
  /** Id of the space. */
  spaceId: Scalars['ID']['input'];
  /** IANA time zone of the site. */
  timezone?: InputMaybe<Scalars['String']['input']>;
  /** The version that the change is based on: CONFLICT when it is not the space's. Left out, what others changed counts as known. */
  version?: InputMaybe<Scalars['Int']['input']>;
};

/** The changed space, or why it is not. */
export type UpdateSpacePayload = {
  __typename?: 'UpdateSpacePayload';
  /** The space. */
  space: Maybe<Space>;
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

/** A person who signs in. */
export type User = {
  __typename?: 'User';
  /** When the account was made. */
  createdAt: Scalars['DateTime']['output'];
  /** Address used to sign in, lower case. */
  email: Scalars['String']['output'];
  /** Whether the address has been proven. */
  emailVerified: Scalars['Boolean']['output'];
  /** UUIDv7. */
  id: Scalars['ID']['output'];
  /** Language of the mails sent to this person. Null for others than the person themselves: depends on who asks. */
  locale: Maybe<Locale>;
  /** Name shown to others. */
  name: Scalars['String']['output'];
};

/** A problem that the caller can mend. */
export type UserError = {
  __typename?: 'UserError';
  /** Machine-readable kind of the problem. */
  code: UserErrorCode;
  /** Path of the input field at fault, dotted; null when it is the input as a whole. */
  field: Maybe<Scalars['String']['output']>;
  /** What is wrong and what would be right, for people. */
  message: Scalars['String']['output'];
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
  code: Scalars['String']['input'];
  /** The address to prove. */
  email: Scalars['String']['input'];
};

/** Whose address is proven, or why it is not. */
export type VerifyEmailPayload = {
  __typename?: 'VerifyEmailPayload';
  /** Who has proven their address. Null when the code is not good. */
  user: Maybe<User>;
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};



export type ResolverTypeWrapper<T> = Promise<T> | T;

export type ReferenceResolver<TResult, TReference, TContext> = (
      reference: TReference,
      context: TContext,
      info: GraphQLResolveInfo
    ) => Promise<TResult> | TResult;

      type ScalarCheck<T, S> = S extends true ? T : NullableCheck<T, S>;
      type NullableCheck<T, S> = Maybe<T> extends T ? Maybe<ListCheck<NonNullable<T>, S>> : ListCheck<T, S>;
      type ListCheck<T, S> = T extends (infer U)[] ? NullableCheck<U, S>[] : GraphQLRecursivePick<T, S>;
      export type GraphQLRecursivePick<T, S> = { [K in keyof T & keyof S]: ScalarCheck<T[K], S[K]> };
    

export type ResolverWithResolve<TResult, TParent, TContext, TArgs> = {
  resolve: ResolverFn<TResult, TParent, TContext, TArgs>;
};
export type Resolver<TResult, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = ResolverFn<TResult, TParent, TContext, TArgs> | ResolverWithResolve<TResult, TParent, TContext, TArgs>;

export type ResolverFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => Promise<TResult> | TResult;

export type SubscriptionSubscribeFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => AsyncIterable<TResult> | Promise<AsyncIterable<TResult>>;

export type SubscriptionResolveFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;

export interface SubscriptionSubscriberObject<TResult, TKey extends string, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<{ [key in TKey]: TResult }, TParent, TContext, TArgs>;
  resolve?: SubscriptionResolveFn<TResult, { [key in TKey]: TResult }, TContext, TArgs>;
}

export interface SubscriptionResolverObject<TResult, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<any, TParent, TContext, TArgs>;
  resolve: SubscriptionResolveFn<TResult, any, TContext, TArgs>;
}

export type SubscriptionObject<TResult, TKey extends string, TParent, TContext, TArgs> =
  | SubscriptionSubscriberObject<TResult, TKey, TParent, TContext, TArgs>
  | SubscriptionResolverObject<TResult, TParent, TContext, TArgs>;

export type SubscriptionResolver<TResult, TKey extends string, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> =
  | ((...args: any[]) => SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>)
  | SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>;

export type TypeResolveFn<TTypes, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (
  parent: TParent,
  context: TContext,
  info: GraphQLResolveInfo
) => Maybe<TTypes> | Promise<Maybe<TTypes>>;

export type IsTypeOfResolverFn<T = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (obj: T, context: TContext, info: GraphQLResolveInfo) => boolean | Promise<boolean>;

export type NextResolverFn<T> = () => Promise<T>;

export type DirectiveResolverFn<TResult = Record<PropertyKey, never>, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = (
  next: NextResolverFn<TResult>,
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;

/** Mapping of federation types */
export type FederationTypes = {
  Device: Device;
  Line: Line;
  Process: Process;
  Space: Space;
  User: User;
};

/** Mapping of federation reference types */
export type FederationReferenceTypes = {
  Device:
    ( { __typename: 'Device' }
    & GraphQLRecursivePick<FederationTypes['Device'], {"id":true}> );
  Line:
    ( { __typename: 'Line' }
    & GraphQLRecursivePick<FederationTypes['Line'], {"id":true}> );
  Process:
    ( { __typename: 'Process' }
    & GraphQLRecursivePick<FederationTypes['Process'], {"id":true}> );
  Space:
    ( { __typename: 'Space' }
    & GraphQLRecursivePick<FederationTypes['Space'], {"id":true}> );
  User:
    ( { __typename: 'User' }
    & GraphQLRecursivePick<FederationTypes['User'], {"id":true}> );
};



/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  AcceptInvitationInput: AcceptInvitationInput;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  AcceptInvitationPayload: ResolverTypeWrapper<Omit<AcceptInvitationPayload, 'space'> & { space?: Maybe<ResolversTypes['Space']> }>;
  AuditEntry: ResolverTypeWrapper<AuditEntryParent>;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  AuditEntryConnection: ResolverTypeWrapper<AuditEntryConnectionParent>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  AuditEntryEdge: ResolverTypeWrapper<Omit<AuditEntryEdge, 'node'> & { node: ResolversTypes['AuditEntry'] }>;
  ChangePasswordInput: ChangePasswordInput;
  ChangePasswordPayload: ResolverTypeWrapper<ChangePasswordPayload>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  CreateLineInput: CreateLineInput;
  CreateLinePayload: ResolverTypeWrapper<Omit<CreateLinePayload, 'line'> & { line?: Maybe<ResolversTypes['Line']> }>;
  CreateProcessInput: CreateProcessInput;
  CreateProcessPayload: ResolverTypeWrapper<Omit<CreateProcessPayload, 'process'> & { process?: Maybe<ResolversTypes['Process']> }>;
  CreateSpaceInput: CreateSpaceInput;
  CreateSpacePayload: ResolverTypeWrapper<Omit<CreateSpacePayload, 'space'> & { space?: Maybe<ResolversTypes['Space']> }>;
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  DeleteLineInput: DeleteLineInput;
  DeleteLinePayload: ResolverTypeWrapper<Omit<DeleteLinePayload, 'line'> & { line?: Maybe<ResolversTypes['Line']> }>;
  DeleteProcessInput: DeleteProcessInput;
  DeleteProcessPayload: ResolverTypeWrapper<Omit<DeleteProcessPayload, 'process'> & { process?: Maybe<ResolversTypes['Process']> }>;
  DeleteSpaceInput: DeleteSpaceInput;
  DeleteSpacePayload: ResolverTypeWrapper<Omit<DeleteSpacePayload, 'space'> & { space?: Maybe<ResolversTypes['Space']> }>;
  Device: ResolverTypeWrapper<DeviceParent>;
  DeviceConnection: ResolverTypeWrapper<DeviceConnectionParent>;
  DeviceConnectivity: ResolverTypeWrapper<DeviceConnectivityParent>;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  DeviceCounts: ResolverTypeWrapper<DeviceCounts>;
  DeviceEdge: ResolverTypeWrapper<Omit<DeviceEdge, 'node'> & { node: ResolversTypes['Device'] }>;
  DeviceFilter: DeviceFilter;
  DeviceOrder: DeviceOrder;
  DeviceState: ResolverTypeWrapper<DeviceStateParent>;
  DeviceStatus: DeviceStatus;
  DeviceTokenInput: DeviceTokenInput;
  DeviceTokenPayload: ResolverTypeWrapper<DeviceTokenPayload>;
  Invitation: ResolverTypeWrapper<InvitationParent>;
  InvitationConnection: ResolverTypeWrapper<InvitationConnectionParent>;
  InvitationEdge: ResolverTypeWrapper<Omit<InvitationEdge, 'node'> & { node: ResolversTypes['Invitation'] }>;
  InviteMemberInput: InviteMemberInput;
  InviteMemberPayload: ResolverTypeWrapper<Omit<InviteMemberPayload, 'invitation'> & { invitation?: Maybe<ResolversTypes['Invitation']> }>;
  JSON: ResolverTypeWrapper<Scalars['JSON']['output']>;
  Line: ResolverTypeWrapper<LineParent>;
  Locale: Locale;
  Membership: ResolverTypeWrapper<MembershipParent>;
  MembershipConnection: ResolverTypeWrapper<MembershipConnectionParent>;
  MembershipEdge: ResolverTypeWrapper<Omit<MembershipEdge, 'node'> & { node: ResolversTypes['Membership'] }>;
  MetricSample: ResolverTypeWrapper<MetricSampleParent>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  NewDeviceInput: NewDeviceInput;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  Process: ResolverTypeWrapper<ProcessParent>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  RefreshSessionInput: RefreshSessionInput;
  RefreshSessionPayload: ResolverTypeWrapper<Omit<RefreshSessionPayload, 'user'> & { user?: Maybe<ResolversTypes['User']> }>;
  RegisterDeviceInput: RegisterDeviceInput;
  RegisterDevicePayload: ResolverTypeWrapper<Omit<RegisterDevicePayload, 'device'> & { device?: Maybe<ResolversTypes['Device']> }>;
  RegisterDevicesInput: RegisterDevicesInput;
  RegisterDevicesPayload: ResolverTypeWrapper<Omit<RegisterDevicesPayload, 'registered'> & { registered?: Maybe<Array<ResolversTypes['RegisteredDevice']>> }>;
  RegisteredDevice: ResolverTypeWrapper<RegisteredDeviceParent>;
  RemoveDeviceInput: RemoveDeviceInput;
  RemoveDevicePayload: ResolverTypeWrapper<Omit<RemoveDevicePayload, 'device'> & { device?: Maybe<ResolversTypes['Device']> }>;
  RemoveMemberInput: RemoveMemberInput;
  RemoveMemberPayload: ResolverTypeWrapper<Omit<RemoveMemberPayload, 'membership'> & { membership?: Maybe<ResolversTypes['Membership']> }>;
  RequestPasswordResetInput: RequestPasswordResetInput;
  RequestPasswordResetPayload: ResolverTypeWrapper<RequestPasswordResetPayload>;
  ResendVerificationInput: ResendVerificationInput;
  ResendVerificationPayload: ResolverTypeWrapper<ResendVerificationPayload>;
  ResetPasswordInput: ResetPasswordInput;
  ResetPasswordPayload: ResolverTypeWrapper<ResetPasswordPayload>;
  RestoreSpaceInput: RestoreSpaceInput;
  RestoreSpacePayload: ResolverTypeWrapper<Omit<RestoreSpacePayload, 'space'> & { space?: Maybe<ResolversTypes['Space']> }>;
  RevokeInvitationInput: RevokeInvitationInput;
  RevokeInvitationPayload: ResolverTypeWrapper<Omit<RevokeInvitationPayload, 'invitation'> & { invitation?: Maybe<ResolversTypes['Invitation']> }>;
  Role: Role;
  RotateDeviceCredentialInput: RotateDeviceCredentialInput;
  RotateDeviceCredentialPayload: ResolverTypeWrapper<Omit<RotateDeviceCredentialPayload, 'device'> & { device?: Maybe<ResolversTypes['Device']> }>;
  SignInInput: SignInInput;
  SignInPayload: ResolverTypeWrapper<Omit<SignInPayload, 'user'> & { user?: Maybe<ResolversTypes['User']> }>;
  SignOutInput: SignOutInput;
  SignOutPayload: ResolverTypeWrapper<SignOutPayload>;
  SignUpInput: SignUpInput;
  SignUpPayload: ResolverTypeWrapper<SignUpPayload>;
  Space: ResolverTypeWrapper<SpaceParent>;
  SpaceConnection: ResolverTypeWrapper<SpaceConnectionParent>;
  SpaceEdge: ResolverTypeWrapper<Omit<SpaceEdge, 'node'> & { node: ResolversTypes['Space'] }>;
  StateHistoryConnection: ResolverTypeWrapper<StateHistoryConnectionParent>;
  StateHistoryEdge: ResolverTypeWrapper<Omit<StateHistoryEdge, 'node'> & { node: ResolversTypes['StateHistoryItem'] }>;
  StateHistoryItem: ResolverTypeWrapper<StateHistoryItemParent>;
  StatusChange: ResolverTypeWrapper<StatusChangeParent>;
  Subscription: ResolverTypeWrapper<Record<PropertyKey, never>>;
  TransferOwnershipInput: TransferOwnershipInput;
  TransferOwnershipPayload: ResolverTypeWrapper<Omit<TransferOwnershipPayload, 'space'> & { space?: Maybe<ResolversTypes['Space']> }>;
  UpdateDeviceInput: UpdateDeviceInput;
  UpdateDevicePayload: ResolverTypeWrapper<Omit<UpdateDevicePayload, 'device'> & { device?: Maybe<ResolversTypes['Device']> }>;
  UpdateLineInput: UpdateLineInput;
  UpdateLinePayload: ResolverTypeWrapper<Omit<UpdateLinePayload, 'line'> & { line?: Maybe<ResolversTypes['Line']> }>;
  UpdateMemberRoleInput: UpdateMemberRoleInput;
  UpdateMemberRolePayload: ResolverTypeWrapper<Omit<UpdateMemberRolePayload, 'membership'> & { membership?: Maybe<ResolversTypes['Membership']> }>;
  UpdateProcessInput: UpdateProcessInput;
  UpdateProcessPayload: ResolverTypeWrapper<Omit<UpdateProcessPayload, 'process'> & { process?: Maybe<ResolversTypes['Process']> }>;
  UpdateSpaceInput: UpdateSpaceInput;
  UpdateSpacePayload: ResolverTypeWrapper<Omit<UpdateSpacePayload, 'space'> & { space?: Maybe<ResolversTypes['Space']> }>;
  User: ResolverTypeWrapper<UserParent>;
  UserError: ResolverTypeWrapper<UserError>;
  UserErrorCode: UserErrorCode;
  VerifyEmailInput: VerifyEmailInput;
  VerifyEmailPayload: ResolverTypeWrapper<Omit<VerifyEmailPayload, 'user'> & { user?: Maybe<ResolversTypes['User']> }>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  AcceptInvitationInput: AcceptInvitationInput;
  String: Scalars['String']['output'];
  AcceptInvitationPayload: Omit<AcceptInvitationPayload, 'space'> & { space?: Maybe<ResolversParentTypes['Space']> };
  AuditEntry: AuditEntryParent;
  ID: Scalars['ID']['output'];
  AuditEntryConnection: AuditEntryConnectionParent;
  Int: Scalars['Int']['output'];
  AuditEntryEdge: Omit<AuditEntryEdge, 'node'> & { node: ResolversParentTypes['AuditEntry'] };
  ChangePasswordInput: ChangePasswordInput;
  ChangePasswordPayload: ChangePasswordPayload;
  Boolean: Scalars['Boolean']['output'];
  CreateLineInput: CreateLineInput;
  CreateLinePayload: Omit<CreateLinePayload, 'line'> & { line?: Maybe<ResolversParentTypes['Line']> };
  CreateProcessInput: CreateProcessInput;
  CreateProcessPayload: Omit<CreateProcessPayload, 'process'> & { process?: Maybe<ResolversParentTypes['Process']> };
  CreateSpaceInput: CreateSpaceInput;
  CreateSpacePayload: Omit<CreateSpacePayload, 'space'> & { space?: Maybe<ResolversParentTypes['Space']> };
  DateTime: Scalars['DateTime']['output'];
  DeleteLineInput: DeleteLineInput;
  DeleteLinePayload: Omit<DeleteLinePayload, 'line'> & { line?: Maybe<ResolversParentTypes['Line']> };
  DeleteProcessInput: DeleteProcessInput;
  DeleteProcessPayload: Omit<DeleteProcessPayload, 'process'> & { process?: Maybe<ResolversParentTypes['Process']> };
  DeleteSpaceInput: DeleteSpaceInput;
  DeleteSpacePayload: Omit<DeleteSpacePayload, 'space'> & { space?: Maybe<ResolversParentTypes['Space']> };
  Device: DeviceParent;
  DeviceConnection: DeviceConnectionParent;
  DeviceConnectivity: DeviceConnectivityParent;
  Float: Scalars['Float']['output'];
  DeviceCounts: DeviceCounts;
  DeviceEdge: Omit<DeviceEdge, 'node'> & { node: ResolversParentTypes['Device'] };
  DeviceFilter: DeviceFilter;
  DeviceState: DeviceStateParent;
  DeviceTokenInput: DeviceTokenInput;
  DeviceTokenPayload: DeviceTokenPayload;
  Invitation: InvitationParent;
  InvitationConnection: InvitationConnectionParent;
  InvitationEdge: Omit<InvitationEdge, 'node'> & { node: ResolversParentTypes['Invitation'] };
  InviteMemberInput: InviteMemberInput;
  InviteMemberPayload: Omit<InviteMemberPayload, 'invitation'> & { invitation?: Maybe<ResolversParentTypes['Invitation']> };
  JSON: Scalars['JSON']['output'];
  Line: LineParent;
  Membership: MembershipParent;
  MembershipConnection: MembershipConnectionParent;
  MembershipEdge: Omit<MembershipEdge, 'node'> & { node: ResolversParentTypes['Membership'] };
  MetricSample: MetricSampleParent;
  Mutation: Record<PropertyKey, never>;
  NewDeviceInput: NewDeviceInput;
  PageInfo: PageInfo;
  Process: ProcessParent;
  Query: Record<PropertyKey, never>;
  RefreshSessionInput: RefreshSessionInput;
  RefreshSessionPayload: Omit<RefreshSessionPayload, 'user'> & { user?: Maybe<ResolversParentTypes['User']> };
  RegisterDeviceInput: RegisterDeviceInput;
  RegisterDevicePayload: Omit<RegisterDevicePayload, 'device'> & { device?: Maybe<ResolversParentTypes['Device']> };
  RegisterDevicesInput: RegisterDevicesInput;
  RegisterDevicesPayload: Omit<RegisterDevicesPayload, 'registered'> & { registered?: Maybe<Array<ResolversParentTypes['RegisteredDevice']>> };
  RegisteredDevice: RegisteredDeviceParent;
  RemoveDeviceInput: RemoveDeviceInput;
  RemoveDevicePayload: Omit<RemoveDevicePayload, 'device'> & { device?: Maybe<ResolversParentTypes['Device']> };
  RemoveMemberInput: RemoveMemberInput;
  RemoveMemberPayload: Omit<RemoveMemberPayload, 'membership'> & { membership?: Maybe<ResolversParentTypes['Membership']> };
  RequestPasswordResetInput: RequestPasswordResetInput;
  RequestPasswordResetPayload: RequestPasswordResetPayload;
  ResendVerificationInput: ResendVerificationInput;
  ResendVerificationPayload: ResendVerificationPayload;
  ResetPasswordInput: ResetPasswordInput;
  ResetPasswordPayload: ResetPasswordPayload;
  RestoreSpaceInput: RestoreSpaceInput;
  RestoreSpacePayload: Omit<RestoreSpacePayload, 'space'> & { space?: Maybe<ResolversParentTypes['Space']> };
  RevokeInvitationInput: RevokeInvitationInput;
  RevokeInvitationPayload: Omit<RevokeInvitationPayload, 'invitation'> & { invitation?: Maybe<ResolversParentTypes['Invitation']> };
  RotateDeviceCredentialInput: RotateDeviceCredentialInput;
  RotateDeviceCredentialPayload: Omit<RotateDeviceCredentialPayload, 'device'> & { device?: Maybe<ResolversParentTypes['Device']> };
  SignInInput: SignInInput;
  SignInPayload: Omit<SignInPayload, 'user'> & { user?: Maybe<ResolversParentTypes['User']> };
  SignOutInput: SignOutInput;
  SignOutPayload: SignOutPayload;
  SignUpInput: SignUpInput;
  SignUpPayload: SignUpPayload;
  Space: SpaceParent;
  SpaceConnection: SpaceConnectionParent;
  SpaceEdge: Omit<SpaceEdge, 'node'> & { node: ResolversParentTypes['Space'] };
  StateHistoryConnection: StateHistoryConnectionParent;
  StateHistoryEdge: Omit<StateHistoryEdge, 'node'> & { node: ResolversParentTypes['StateHistoryItem'] };
  StateHistoryItem: StateHistoryItemParent;
  StatusChange: StatusChangeParent;
  Subscription: Record<PropertyKey, never>;
  TransferOwnershipInput: TransferOwnershipInput;
  TransferOwnershipPayload: Omit<TransferOwnershipPayload, 'space'> & { space?: Maybe<ResolversParentTypes['Space']> };
  UpdateDeviceInput: UpdateDeviceInput;
  UpdateDevicePayload: Omit<UpdateDevicePayload, 'device'> & { device?: Maybe<ResolversParentTypes['Device']> };
  UpdateLineInput: UpdateLineInput;
  UpdateLinePayload: Omit<UpdateLinePayload, 'line'> & { line?: Maybe<ResolversParentTypes['Line']> };
  UpdateMemberRoleInput: UpdateMemberRoleInput;
  UpdateMemberRolePayload: Omit<UpdateMemberRolePayload, 'membership'> & { membership?: Maybe<ResolversParentTypes['Membership']> };
  UpdateProcessInput: UpdateProcessInput;
  UpdateProcessPayload: Omit<UpdateProcessPayload, 'process'> & { process?: Maybe<ResolversParentTypes['Process']> };
  UpdateSpaceInput: UpdateSpaceInput;
  UpdateSpacePayload: Omit<UpdateSpacePayload, 'space'> & { space?: Maybe<ResolversParentTypes['Space']> };
  User: UserParent;
  UserError: UserError;
  VerifyEmailInput: VerifyEmailInput;
  VerifyEmailPayload: Omit<VerifyEmailPayload, 'user'> & { user?: Maybe<ResolversParentTypes['User']> };
};

export type ViewerDependentDirectiveArgs = { };

export type ViewerDependentDirectiveResolver<Result, Parent, ContextType = SubgraphContext, Args = ViewerDependentDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type AcceptInvitationPayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['AcceptInvitationPayload'] = ResolversParentTypes['AcceptInvitationPayload']> = {
  space?: Resolver<Maybe<ResolversTypes['Space']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type AuditEntryResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['AuditEntry'] = ResolversParentTypes['AuditEntry']> = {
  action?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  actor?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  details?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  occurredAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  targetId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  targetName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  targetType?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type AuditEntryConnectionResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['AuditEntryConnection'] = ResolversParentTypes['AuditEntryConnection']> = {
  edges?: Resolver<Array<ResolversTypes['AuditEntryEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['AuditEntry']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type AuditEntryEdgeResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['AuditEntryEdge'] = ResolversParentTypes['AuditEntryEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['AuditEntry'], ParentType, ContextType>;
};

export type ChangePasswordPayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['ChangePasswordPayload'] = ResolversParentTypes['ChangePasswordPayload']> = {
  changed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type CreateLinePayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['CreateLinePayload'] = ResolversParentTypes['CreateLinePayload']> = {
  line?: Resolver<Maybe<ResolversTypes['Line']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type CreateProcessPayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['CreateProcessPayload'] = ResolversParentTypes['CreateProcessPayload']> = {
  process?: Resolver<Maybe<ResolversTypes['Process']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type CreateSpacePayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['CreateSpacePayload'] = ResolversParentTypes['CreateSpacePayload']> = {
  space?: Resolver<Maybe<ResolversTypes['Space']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export type DeleteLinePayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['DeleteLinePayload'] = ResolversParentTypes['DeleteLinePayload']> = {
  line?: Resolver<Maybe<ResolversTypes['Line']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type DeleteProcessPayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['DeleteProcessPayload'] = ResolversParentTypes['DeleteProcessPayload']> = {
  process?: Resolver<Maybe<ResolversTypes['Process']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type DeleteSpacePayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['DeleteSpacePayload'] = ResolversParentTypes['DeleteSpacePayload']> = {
  space?: Resolver<Maybe<ResolversTypes['Space']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type DeviceResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['Device'] = ResolversParentTypes['Device'], FederationReferenceType extends FederationReferenceTypes['Device'] = FederationReferenceTypes['Device']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Device']> | FederationReferenceType, FederationReferenceType, ContextType>;
  broadcasting?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  connectivity?: Resolver<Maybe<ResolversTypes['DeviceConnectivity']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  lastSeenAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  line?: Resolver<Maybe<ResolversTypes['Line']>, ParentType, ContextType>;
  model?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  online?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  process?: Resolver<Maybe<ResolversTypes['Process']>, ParentType, ContextType>;
  space?: Resolver<ResolversTypes['Space'], ParentType, ContextType>;
  state?: Resolver<Maybe<ResolversTypes['DeviceState']>, ParentType, ContextType>;
  stateHistory?: Resolver<Maybe<ResolversTypes['StateHistoryConnection']>, ParentType, ContextType, RequireFields<DeviceStateHistoryArgs, 'first' | 'from' | 'to'>>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type DeviceConnectionResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['DeviceConnection'] = ResolversParentTypes['DeviceConnection']> = {
  edges?: Resolver<Array<ResolversTypes['DeviceEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Device']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type DeviceConnectivityResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['DeviceConnectivity'] = ResolversParentTypes['DeviceConnectivity']> = {
  latencyMs?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  network?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  reportedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  signal?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type DeviceCountsResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['DeviceCounts'] = ResolversParentTypes['DeviceCounts']> = {
  broadcasting?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  online?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  total?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type DeviceEdgeResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['DeviceEdge'] = ResolversParentTypes['DeviceEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Device'], ParentType, ContextType>;
};

export type DeviceStateResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['DeviceState'] = ResolversParentTypes['DeviceState']> = {
  metrics?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  reportedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['DeviceStatus'], ParentType, ContextType>;
};

export type DeviceTokenPayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['DeviceTokenPayload'] = ResolversParentTypes['DeviceTokenPayload']> = {
  expiresAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  token?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type InvitationResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['Invitation'] = ResolversParentTypes['Invitation']> = {
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  email?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  invitedBy?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  role?: Resolver<ResolversTypes['Role'], ParentType, ContextType>;
};

export type InvitationConnectionResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['InvitationConnection'] = ResolversParentTypes['InvitationConnection']> = {
  edges?: Resolver<Array<ResolversTypes['InvitationEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Invitation']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type InvitationEdgeResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['InvitationEdge'] = ResolversParentTypes['InvitationEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Invitation'], ParentType, ContextType>;
};

export type InviteMemberPayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['InviteMemberPayload'] = ResolversParentTypes['InviteMemberPayload']> = {
  invitation?: Resolver<Maybe<ResolversTypes['Invitation']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export interface JsonScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['JSON'], any> {
  name: 'JSON';
}

export type LineResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['Line'] = ResolversParentTypes['Line'], FederationReferenceType extends FederationReferenceTypes['Line'] = FederationReferenceTypes['Line']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Line']> | FederationReferenceType, FederationReferenceType, ContextType>;
  devices?: Resolver<ResolversTypes['DeviceConnection'], ParentType, ContextType, RequireFields<LineDevicesArgs, 'first'>>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  position?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  processes?: Resolver<Array<ResolversTypes['Process']>, ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type MembershipResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['Membership'] = ResolversParentTypes['Membership']> = {
  joinedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  role?: Resolver<ResolversTypes['Role'], ParentType, ContextType>;
  user?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
};

export type MembershipConnectionResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['MembershipConnection'] = ResolversParentTypes['MembershipConnection']> = {
  edges?: Resolver<Array<ResolversTypes['MembershipEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Membership']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type MembershipEdgeResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['MembershipEdge'] = ResolversParentTypes['MembershipEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Membership'], ParentType, ContextType>;
};

export type MetricSampleResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['MetricSample'] = ResolversParentTypes['MetricSample']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  key?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  last?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  max?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  min?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type MutationResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  acceptInvitation?: Resolver<ResolversTypes['AcceptInvitationPayload'], ParentType, ContextType, RequireFields<MutationAcceptInvitationArgs, 'input'>>;
  changePassword?: Resolver<ResolversTypes['ChangePasswordPayload'], ParentType, ContextType, RequireFields<MutationChangePasswordArgs, 'input'>>;
  createLine?: Resolver<ResolversTypes['CreateLinePayload'], ParentType, ContextType, RequireFields<MutationCreateLineArgs, 'input'>>;
  createProcess?: Resolver<ResolversTypes['CreateProcessPayload'], ParentType, ContextType, RequireFields<MutationCreateProcessArgs, 'input'>>;
  createSpace?: Resolver<ResolversTypes['CreateSpacePayload'], ParentType, ContextType, RequireFields<MutationCreateSpaceArgs, 'input'>>;
  deleteLine?: Resolver<ResolversTypes['DeleteLinePayload'], ParentType, ContextType, RequireFields<MutationDeleteLineArgs, 'input'>>;
  deleteProcess?: Resolver<ResolversTypes['DeleteProcessPayload'], ParentType, ContextType, RequireFields<MutationDeleteProcessArgs, 'input'>>;
  deleteSpace?: Resolver<ResolversTypes['DeleteSpacePayload'], ParentType, ContextType, RequireFields<MutationDeleteSpaceArgs, 'input'>>;
  deviceToken?: Resolver<ResolversTypes['DeviceTokenPayload'], ParentType, ContextType, RequireFields<MutationDeviceTokenArgs, 'input'>>;
  inviteMember?: Resolver<ResolversTypes['InviteMemberPayload'], ParentType, ContextType, RequireFields<MutationInviteMemberArgs, 'input'>>;
  refreshSession?: Resolver<ResolversTypes['RefreshSessionPayload'], ParentType, ContextType, RequireFields<MutationRefreshSessionArgs, 'input'>>;
  registerDevice?: Resolver<ResolversTypes['RegisterDevicePayload'], ParentType, ContextType, RequireFields<MutationRegisterDeviceArgs, 'input'>>;
  registerDevices?: Resolver<ResolversTypes['RegisterDevicesPayload'], ParentType, ContextType, RequireFields<MutationRegisterDevicesArgs, 'input'>>;
  removeDevice?: Resolver<ResolversTypes['RemoveDevicePayload'], ParentType, ContextType, RequireFields<MutationRemoveDeviceArgs, 'input'>>;
  removeMember?: Resolver<ResolversTypes['RemoveMemberPayload'], ParentType, ContextType, RequireFields<MutationRemoveMemberArgs, 'input'>>;
  requestPasswordReset?: Resolver<ResolversTypes['RequestPasswordResetPayload'], ParentType, ContextType, RequireFields<MutationRequestPasswordResetArgs, 'input'>>;
  resendVerification?: Resolver<ResolversTypes['ResendVerificationPayload'], ParentType, ContextType, RequireFields<MutationResendVerificationArgs, 'input'>>;
  resetPassword?: Resolver<ResolversTypes['ResetPasswordPayload'], ParentType, ContextType, RequireFields<MutationResetPasswordArgs, 'input'>>;
  restoreSpace?: Resolver<ResolversTypes['RestoreSpacePayload'], ParentType, ContextType, RequireFields<MutationRestoreSpaceArgs, 'input'>>;
  revokeInvitation?: Resolver<ResolversTypes['RevokeInvitationPayload'], ParentType, ContextType, RequireFields<MutationRevokeInvitationArgs, 'input'>>;
  rotateDeviceCredential?: Resolver<ResolversTypes['RotateDeviceCredentialPayload'], ParentType, ContextType, RequireFields<MutationRotateDeviceCredentialArgs, 'input'>>;
  signIn?: Resolver<ResolversTypes['SignInPayload'], ParentType, ContextType, RequireFields<MutationSignInArgs, 'input'>>;
  signOut?: Resolver<ResolversTypes['SignOutPayload'], ParentType, ContextType, Partial<MutationSignOutArgs>>;
  signUp?: Resolver<ResolversTypes['SignUpPayload'], ParentType, ContextType, RequireFields<MutationSignUpArgs, 'input'>>;
  transferOwnership?: Resolver<ResolversTypes['TransferOwnershipPayload'], ParentType, ContextType, RequireFields<MutationTransferOwnershipArgs, 'input'>>;
  updateDevice?: Resolver<ResolversTypes['UpdateDevicePayload'], ParentType, ContextType, RequireFields<MutationUpdateDeviceArgs, 'input'>>;
  updateLine?: Resolver<ResolversTypes['UpdateLinePayload'], ParentType, ContextType, RequireFields<MutationUpdateLineArgs, 'input'>>;
  updateMemberRole?: Resolver<ResolversTypes['UpdateMemberRolePayload'], ParentType, ContextType, RequireFields<MutationUpdateMemberRoleArgs, 'input'>>;
  updateProcess?: Resolver<ResolversTypes['UpdateProcessPayload'], ParentType, ContextType, RequireFields<MutationUpdateProcessArgs, 'input'>>;
  updateSpace?: Resolver<ResolversTypes['UpdateSpacePayload'], ParentType, ContextType, RequireFields<MutationUpdateSpaceArgs, 'input'>>;
  verifyEmail?: Resolver<ResolversTypes['VerifyEmailPayload'], ParentType, ContextType, RequireFields<MutationVerifyEmailArgs, 'input'>>;
};

export type PageInfoResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['PageInfo'] = ResolversParentTypes['PageInfo']> = {
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  hasPreviousPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  startCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ProcessResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['Process'] = ResolversParentTypes['Process'], FederationReferenceType extends FederationReferenceTypes['Process'] = FederationReferenceTypes['Process']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Process']> | FederationReferenceType, FederationReferenceType, ContextType>;
  devices?: Resolver<ResolversTypes['DeviceConnection'], ParentType, ContextType, RequireFields<ProcessDevicesArgs, 'first'>>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  line?: Resolver<Maybe<ResolversTypes['Line']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  position?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type QueryResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  auditLog?: Resolver<Maybe<ResolversTypes['AuditEntryConnection']>, ParentType, ContextType, RequireFields<QueryAuditLogArgs, 'first' | 'spaceId'>>;
  deletedSpaces?: Resolver<Maybe<Array<ResolversTypes['Space']>>, ParentType, ContextType>;
  device?: Resolver<Maybe<ResolversTypes['Device']>, ParentType, ContextType, RequireFields<QueryDeviceArgs, 'id'>>;
  deviceByCode?: Resolver<Maybe<ResolversTypes['Device']>, ParentType, ContextType, RequireFields<QueryDeviceByCodeArgs, 'code' | 'spaceId'>>;
  space?: Resolver<Maybe<ResolversTypes['Space']>, ParentType, ContextType, RequireFields<QuerySpaceArgs, 'id'>>;
  spaces?: Resolver<ResolversTypes['SpaceConnection'], ParentType, ContextType, RequireFields<QuerySpacesArgs, 'first'>>;
  viewer?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
};

export type RefreshSessionPayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['RefreshSessionPayload'] = ResolversParentTypes['RefreshSessionPayload']> = {
  accessToken?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  expiresAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  refreshToken?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  user?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type RegisterDevicePayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['RegisterDevicePayload'] = ResolversParentTypes['RegisterDevicePayload']> = {
  credential?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  device?: Resolver<Maybe<ResolversTypes['Device']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type RegisterDevicesPayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['RegisterDevicesPayload'] = ResolversParentTypes['RegisterDevicesPayload']> = {
  registered?: Resolver<Maybe<Array<ResolversTypes['RegisteredDevice']>>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type RegisteredDeviceResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['RegisteredDevice'] = ResolversParentTypes['RegisteredDevice']> = {
  credential?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  device?: Resolver<ResolversTypes['Device'], ParentType, ContextType>;
};

export type RemoveDevicePayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['RemoveDevicePayload'] = ResolversParentTypes['RemoveDevicePayload']> = {
  device?: Resolver<Maybe<ResolversTypes['Device']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type RemoveMemberPayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['RemoveMemberPayload'] = ResolversParentTypes['RemoveMemberPayload']> = {
  membership?: Resolver<Maybe<ResolversTypes['Membership']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type RequestPasswordResetPayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['RequestPasswordResetPayload'] = ResolversParentTypes['RequestPasswordResetPayload']> = {
  accepted?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type ResendVerificationPayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['ResendVerificationPayload'] = ResolversParentTypes['ResendVerificationPayload']> = {
  accepted?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type ResetPasswordPayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['ResetPasswordPayload'] = ResolversParentTypes['ResetPasswordPayload']> = {
  changed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type RestoreSpacePayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['RestoreSpacePayload'] = ResolversParentTypes['RestoreSpacePayload']> = {
  space?: Resolver<Maybe<ResolversTypes['Space']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type RevokeInvitationPayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['RevokeInvitationPayload'] = ResolversParentTypes['RevokeInvitationPayload']> = {
  invitation?: Resolver<Maybe<ResolversTypes['Invitation']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type RotateDeviceCredentialPayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['RotateDeviceCredentialPayload'] = ResolversParentTypes['RotateDeviceCredentialPayload']> = {
  credential?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  device?: Resolver<Maybe<ResolversTypes['Device']>, ParentType, ContextType>;
  previousValidUntil?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type SignInPayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['SignInPayload'] = ResolversParentTypes['SignInPayload']> = {
  accessToken?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  expiresAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  refreshToken?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  user?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type SignOutPayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['SignOutPayload'] = ResolversParentTypes['SignOutPayload']> = {
  signedOut?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type SignUpPayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['SignUpPayload'] = ResolversParentTypes['SignUpPayload']> = {
  accepted?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type SpaceResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['Space'] = ResolversParentTypes['Space'], FederationReferenceType extends FederationReferenceTypes['Space'] = FederationReferenceTypes['Space']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Space']> | FederationReferenceType, FederationReferenceType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  deletedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  deviceCounts?: Resolver<ResolversTypes['DeviceCounts'], ParentType, ContextType>;
  devices?: Resolver<ResolversTypes['DeviceConnection'], ParentType, ContextType, RequireFields<SpaceDevicesArgs, 'orderBy'>>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  invitations?: Resolver<Maybe<ResolversTypes['InvitationConnection']>, ParentType, ContextType, RequireFields<SpaceInvitationsArgs, 'first'>>;
  lines?: Resolver<Array<ResolversTypes['Line']>, ParentType, ContextType>;
  members?: Resolver<ResolversTypes['MembershipConnection'], ParentType, ContextType, RequireFields<SpaceMembersArgs, 'first'>>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  processes?: Resolver<Array<ResolversTypes['Process']>, ParentType, ContextType>;
  retentionDays?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  timezone?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  viewerRole?: Resolver<Maybe<ResolversTypes['Role']>, ParentType, ContextType>;
};

export type SpaceConnectionResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['SpaceConnection'] = ResolversParentTypes['SpaceConnection']> = {
  edges?: Resolver<Array<ResolversTypes['SpaceEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Space']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type SpaceEdgeResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['SpaceEdge'] = ResolversParentTypes['SpaceEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Space'], ParentType, ContextType>;
};

export type StateHistoryConnectionResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['StateHistoryConnection'] = ResolversParentTypes['StateHistoryConnection']> = {
  edges?: Resolver<Array<ResolversTypes['StateHistoryEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['StateHistoryItem']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type StateHistoryEdgeResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['StateHistoryEdge'] = ResolversParentTypes['StateHistoryEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['StateHistoryItem'], ParentType, ContextType>;
};

export type StateHistoryItemResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['StateHistoryItem'] = ResolversParentTypes['StateHistoryItem']> = {
  __resolveType: TypeResolveFn<'MetricSample' | 'StatusChange', ParentType, ContextType>;
};

export type StatusChangeResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['StatusChange'] = ResolversParentTypes['StatusChange']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['DeviceStatus'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type SubscriptionResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['Subscription'] = ResolversParentTypes['Subscription']> = {
  devicePresenceChanged?: SubscriptionResolver<ResolversTypes['Device'], "devicePresenceChanged", ParentType, ContextType, RequireFields<SubscriptionDevicePresenceChangedArgs, 'spaceId'>>;
  deviceStateChanged?: SubscriptionResolver<ResolversTypes['Device'], "deviceStateChanged", ParentType, ContextType, RequireFields<SubscriptionDeviceStateChangedArgs, 'spaceId'>>;
};

export type TransferOwnershipPayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['TransferOwnershipPayload'] = ResolversParentTypes['TransferOwnershipPayload']> = {
  space?: Resolver<Maybe<ResolversTypes['Space']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type UpdateDevicePayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['UpdateDevicePayload'] = ResolversParentTypes['UpdateDevicePayload']> = {
  device?: Resolver<Maybe<ResolversTypes['Device']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type UpdateLinePayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['UpdateLinePayload'] = ResolversParentTypes['UpdateLinePayload']> = {
  line?: Resolver<Maybe<ResolversTypes['Line']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type UpdateMemberRolePayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['UpdateMemberRolePayload'] = ResolversParentTypes['UpdateMemberRolePayload']> = {
  membership?: Resolver<Maybe<ResolversTypes['Membership']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type UpdateProcessPayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['UpdateProcessPayload'] = ResolversParentTypes['UpdateProcessPayload']> = {
  process?: Resolver<Maybe<ResolversTypes['Process']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type UpdateSpacePayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['UpdateSpacePayload'] = ResolversParentTypes['UpdateSpacePayload']> = {
  space?: Resolver<Maybe<ResolversTypes['Space']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type UserResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['User'] = ResolversParentTypes['User'], FederationReferenceType extends FederationReferenceTypes['User'] = FederationReferenceTypes['User']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['User']> | FederationReferenceType, FederationReferenceType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  email?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  emailVerified?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  locale?: Resolver<Maybe<ResolversTypes['Locale']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type UserErrorResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['UserError'] = ResolversParentTypes['UserError']> = {
  code?: Resolver<ResolversTypes['UserErrorCode'], ParentType, ContextType>;
  field?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type VerifyEmailPayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['VerifyEmailPayload'] = ResolversParentTypes['VerifyEmailPayload']> = {
  user?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type Resolvers<ContextType = SubgraphContext> = {
  AcceptInvitationPayload?: AcceptInvitationPayloadResolvers<ContextType>;
  AuditEntry?: AuditEntryResolvers<ContextType>;
  AuditEntryConnection?: AuditEntryConnectionResolvers<ContextType>;
  AuditEntryEdge?: AuditEntryEdgeResolvers<ContextType>;
  ChangePasswordPayload?: ChangePasswordPayloadResolvers<ContextType>;
  CreateLinePayload?: CreateLinePayloadResolvers<ContextType>;
  CreateProcessPayload?: CreateProcessPayloadResolvers<ContextType>;
  CreateSpacePayload?: CreateSpacePayloadResolvers<ContextType>;
  DateTime?: GraphQLScalarType;
  DeleteLinePayload?: DeleteLinePayloadResolvers<ContextType>;
  DeleteProcessPayload?: DeleteProcessPayloadResolvers<ContextType>;
  DeleteSpacePayload?: DeleteSpacePayloadResolvers<ContextType>;
  Device?: DeviceResolvers<ContextType>;
  DeviceConnection?: DeviceConnectionResolvers<ContextType>;
  DeviceConnectivity?: DeviceConnectivityResolvers<ContextType>;
  DeviceCounts?: DeviceCountsResolvers<ContextType>;
  DeviceEdge?: DeviceEdgeResolvers<ContextType>;
  DeviceState?: DeviceStateResolvers<ContextType>;
  DeviceTokenPayload?: DeviceTokenPayloadResolvers<ContextType>;
  Invitation?: InvitationResolvers<ContextType>;
  InvitationConnection?: InvitationConnectionResolvers<ContextType>;
  InvitationEdge?: InvitationEdgeResolvers<ContextType>;
  InviteMemberPayload?: InviteMemberPayloadResolvers<ContextType>;
  JSON?: GraphQLScalarType;
  Line?: LineResolvers<ContextType>;
  Membership?: MembershipResolvers<ContextType>;
  MembershipConnection?: MembershipConnectionResolvers<ContextType>;
  MembershipEdge?: MembershipEdgeResolvers<ContextType>;
  MetricSample?: MetricSampleResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  Process?: ProcessResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  RefreshSessionPayload?: RefreshSessionPayloadResolvers<ContextType>;
  RegisterDevicePayload?: RegisterDevicePayloadResolvers<ContextType>;
  RegisterDevicesPayload?: RegisterDevicesPayloadResolvers<ContextType>;
  RegisteredDevice?: RegisteredDeviceResolvers<ContextType>;
  RemoveDevicePayload?: RemoveDevicePayloadResolvers<ContextType>;
  RemoveMemberPayload?: RemoveMemberPayloadResolvers<ContextType>;
  RequestPasswordResetPayload?: RequestPasswordResetPayloadResolvers<ContextType>;
  ResendVerificationPayload?: ResendVerificationPayloadResolvers<ContextType>;
  ResetPasswordPayload?: ResetPasswordPayloadResolvers<ContextType>;
  RestoreSpacePayload?: RestoreSpacePayloadResolvers<ContextType>;
  RevokeInvitationPayload?: RevokeInvitationPayloadResolvers<ContextType>;
  RotateDeviceCredentialPayload?: RotateDeviceCredentialPayloadResolvers<ContextType>;
  SignInPayload?: SignInPayloadResolvers<ContextType>;
  SignOutPayload?: SignOutPayloadResolvers<ContextType>;
  SignUpPayload?: SignUpPayloadResolvers<ContextType>;
  Space?: SpaceResolvers<ContextType>;
  SpaceConnection?: SpaceConnectionResolvers<ContextType>;
  SpaceEdge?: SpaceEdgeResolvers<ContextType>;
  StateHistoryConnection?: StateHistoryConnectionResolvers<ContextType>;
  StateHistoryEdge?: StateHistoryEdgeResolvers<ContextType>;
  StateHistoryItem?: StateHistoryItemResolvers<ContextType>;
  StatusChange?: StatusChangeResolvers<ContextType>;
  Subscription?: SubscriptionResolvers<ContextType>;
  TransferOwnershipPayload?: TransferOwnershipPayloadResolvers<ContextType>;
  UpdateDevicePayload?: UpdateDevicePayloadResolvers<ContextType>;
  UpdateLinePayload?: UpdateLinePayloadResolvers<ContextType>;
  UpdateMemberRolePayload?: UpdateMemberRolePayloadResolvers<ContextType>;
  UpdateProcessPayload?: UpdateProcessPayloadResolvers<ContextType>;
  UpdateSpacePayload?: UpdateSpacePayloadResolvers<ContextType>;
  User?: UserResolvers<ContextType>;
  UserError?: UserErrorResolvers<ContextType>;
  VerifyEmailPayload?: VerifyEmailPayloadResolvers<ContextType>;
};

export type DirectiveResolvers<ContextType = SubgraphContext> = {
  viewerDependent?: ViewerDependentDirectiveResolver<any, any, ContextType>;
};
