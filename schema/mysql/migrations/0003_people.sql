ALTER TABLE `user`
  ADD COLUMN `locale` VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'en',
  ADD COLUMN `sign_up_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
    DEFAULT '00000000-0000-0000-0000-000000000000'
--> statement-breakpoint
ALTER TABLE `session` ADD KEY `session_revoked` (`revoked_at`)
--> statement-breakpoint
ALTER TABLE `space`
  ADD COLUMN `version` INT NOT NULL DEFAULT 1,
  ADD COLUMN `retention_days` INT,
  ADD COLUMN `created_by` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin,
  ADD COLUMN `deleted_at` DATETIME(3),
  ADD KEY `space_deleted` (`deleted_at`)
--> statement-breakpoint
CREATE TABLE `email_code` (
  `user_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `purpose` VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `digest` BINARY(32) NOT NULL,
  `tries` SMALLINT NOT NULL DEFAULT 0,
  `created_at` DATETIME(3) NOT NULL,
  `expires_at` DATETIME(3) NOT NULL,
  PRIMARY KEY (`user_id`, `purpose`),
  KEY `email_code_digest` (`digest`),
  KEY `email_code_expiry` (`expires_at`)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
--> statement-breakpoint
CREATE TABLE `invitation` (
  `id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `space_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `email` VARCHAR(254) NOT NULL,
  `pending_email` VARCHAR(254),
  `role` VARCHAR(16) NOT NULL,
  `digest` BINARY(32) NOT NULL,
  `invited_by` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `created_at` DATETIME(3) NOT NULL,
  `expires_at` DATETIME(3) NOT NULL,
  `accepted_at` DATETIME(3),
  `accepted_by` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin,
  `revoked_at` DATETIME(3),
  PRIMARY KEY (`id`),
  UNIQUE KEY `invitation_digest` (`digest`),
  UNIQUE KEY `invitation_pending` (`space_id`, `pending_email`),
  KEY `invitation_space` (`space_id`, `id`)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
--> statement-breakpoint
CREATE TABLE `audit` (
  `space_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `actor_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin,
  `action` VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `target_type` VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `target_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin,
  `target_name` VARCHAR(254),
  `details` JSON,
  PRIMARY KEY (`space_id`, `id`)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
--> statement-breakpoint
CREATE TABLE `mail_outbox` (
  `id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `recipient` VARCHAR(254) NOT NULL,
  `template` VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `locale` VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `params` JSON NOT NULL,
  `attempts` SMALLINT NOT NULL DEFAULT 0,
  `next_attempt_at` DATETIME(3),
  `created_at` DATETIME(3) NOT NULL,
  `sent_at` DATETIME(3),
  `failed_at` DATETIME(3),
  `last_error` VARCHAR(512),
  PRIMARY KEY (`id`),
  KEY `mail_outbox_due` (`next_attempt_at`)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
