/** What ioredis sends by itself when a connection is made; no caller waits for it. */
export const HANDSHAKE_COMMANDS = new Set(['hello', 'auth', 'select', 'client', 'info', 'readonly'])
