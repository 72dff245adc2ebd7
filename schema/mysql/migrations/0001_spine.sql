CREATE TABLE `user` (
  `id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `email` VARCHAR(254) NOT NULL,
  `name` VARCHAR(128) NOT NULL,
  `password_hash` VARCHAR(255) NOT NULL,
  `email_verified_at` DATETIME(3),
  `created_at` DATETIME(3) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `user_email` (`email`)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
--> statement-breakpoint
CREATE TABLE `session` (
  `id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `user_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `created_at` DATETIME(3) NOT NULL,
  `revoked_at` DATETIME(3),
  PRIMARY KEY (`id`),
  KEY `session_user` (`user_id`)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
--> statement-breakpoint
CREATE TABLE `refresh_token` (
  `digest` BINARY(32) NOT NULL,
  `session_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `created_at` DATETIME(3) NOT NULL,
  `expires_at` DATETIME(3) NOT NULL,
  `used_at` DATETIME(3),
  PRIMARY KEY (`digest`),
  KEY `refresh_token_session` (`session_id`),
  KEY `refresh_token_expiry` (`expires_at`)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
--> statement-breakpoint
CREATE TABLE `space` (
  `id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `name` VARCHAR(128) NOT NULL,
  `timezone` VARCHAR(64) NOT NULL,
  `created_at` DATETIME(3) NOT NULL,
  PRIMARY KEY (`id`)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
--> statement-breakpoint
CREATE TABLE `membership` (
  `space_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `user_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `role` VARCHAR(16) NOT NULL,
  `joined_at` DATETIME(3) NOT NULL,
  PRIMARY KEY (`space_id`, `user_id`),
  KEY `membership_user` (`user_id`, `space_id`)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
--> statement-breakpoint
CREATE TABLE `line` (
  `id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `space_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `name` VARCHAR(128) NOT NULL,
  `position` INT NOT NULL,
  PRIMARY KEY (`id`),
  KEY `line_space` (`space_id`, `position`)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
--> statement-breakpoint
CREATE TABLE `process` (
  `id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `space_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `line_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin,
  `name` VARCHAR(128) NOT NULL,
  `position` INT NOT NULL,
  PRIMARY KEY (`id`),
  KEY `process_space` (`space_id`, `position`),
  KEY `process_line` (`line_id`, `position`)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
--> statement-breakpoint
CREATE TABLE `device` (
  `id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `space_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `line_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin,
  `process_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin,
  `code` VARCHAR(64) NOT NULL,
  `name` VARCHAR(128) NOT NULL,
  `model` VARCHAR(128),
  `created_at` DATETIME(3) NOT NULL,
  `removed` BOOLEAN NOT NULL DEFAULT FALSE,
  PRIMARY KEY (`id`),
  UNIQUE KEY `device_code` (`space_id`, `code`),
  KEY `device_line` (`line_id`, `code`),
  KEY `device_process` (`process_id`, `code`)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
--> statement-breakpoint
CREATE TABLE `device_credential` (
  `digest` BINARY(32) NOT NULL,
  `device_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `created_at` DATETIME(3) NOT NULL,
  `revoked_at` DATETIME(3),
  PRIMARY KEY (`digest`),
  KEY `device_credential_device` (`device_id`)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
--> statement-breakpoint
CREATE TABLE `log` (
  `space_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `device_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `line_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin,
  `process_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin,
  `level` VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `message` TEXT NOT NULL,
  `attributes` JSON,
  `clock_replaced` BOOLEAN NOT NULL,
  `received_at` DATETIME(3) NOT NULL,
  PRIMARY KEY (`space_id`, `id`),
  KEY `log_device` (`device_id`, `id`)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
PARTITION BY RANGE COLUMNS (`id`) (PARTITION `rest` VALUES LESS THAN (MAXVALUE))
--> statement-breakpoint
CREATE TABLE `presence_event` (
  `space_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `device_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `kind` VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  PRIMARY KEY (`space_id`, `id`),
  KEY `presence_event_device` (`device_id`, `id`)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
PARTITION BY RANGE COLUMNS (`id`) (PARTITION `rest` VALUES LESS THAN (MAXVALUE))
--> statement-breakpoint
CREATE TABLE `device_status` (
  `device_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `space_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `online` BOOLEAN NOT NULL DEFAULT FALSE,
  `generation` BIGINT NOT NULL DEFAULT 0,
  `last_seen_at` BIGINT,
  `state` JSON,
  `state_at` BIGINT NOT NULL DEFAULT 0,
  `connectivity` JSON,
  `connectivity_at` BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (`device_id`),
  KEY `device_status_online` (`space_id`, `online`)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
--> statement-breakpoint
CREATE TABLE `ingest_offset` (
  `shard` SMALLINT NOT NULL,
  `last_id` VARCHAR(41) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `fence` BIGINT NOT NULL,
  `owner` VARCHAR(64) NOT NULL,
  `lease_until` DATETIME(3) NOT NULL,
  PRIMARY KEY (`shard`)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
