CREATE TABLE `anomaly` (
  `id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `space_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `device_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `line_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin,
  `process_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin,
  `type` VARCHAR(64) NOT NULL,
  `severity` VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `message` TEXT,
  `score` DOUBLE,
  `attributes` JSON,
  `clock_replaced` BOOLEAN NOT NULL,
  `received_at` DATETIME(3) NOT NULL,
  `first_occurrence_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `last_occurrence_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `occurrences` INT NOT NULL,
  `status` VARCHAR(12) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `acknowledged_at` DATETIME(3),
  `acknowledged_by` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin,
  `resolved_at` DATETIME(3),
  `resolved_by` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin,
  `version` INT NOT NULL,
  `open_type` VARCHAR(64) GENERATED ALWAYS AS (IF(`status` = 'RESOLVED', NULL, `type`)) STORED,
  `severity_rank` SMALLINT GENERATED ALWAYS AS (FIELD(`severity`, 'INFO', 'MINOR', 'MAJOR', 'CRITICAL')) STORED,
  PRIMARY KEY (`id`),
  UNIQUE KEY `anomaly_open` (`device_id`, `open_type`),
  KEY `anomaly_kind` (`device_id`, `type`, `resolved_at`),
  KEY `anomaly_device` (`device_id`, `status`, `id`),
  KEY `anomaly_space` (`space_id`, `id`),
  KEY `anomaly_status` (`space_id`, `status`, `id`),
  KEY `anomaly_last` (`space_id`, `last_occurrence_id`),
  KEY `anomaly_severity` (`space_id`, `severity_rank`, `id`),
  KEY `anomaly_line` (`space_id`, `line_id`, `status`, `id`),
  KEY `anomaly_process` (`space_id`, `process_id`, `status`, `id`)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
--> statement-breakpoint
CREATE TABLE `anomaly_comment` (
  `id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `anomaly_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `space_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `kind` VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `step` VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin,
  `author_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin,
  `body` TEXT NOT NULL,
  `created_at` DATETIME(3) NOT NULL,
  `edited_at` DATETIME(3),
  PRIMARY KEY (`id`),
  KEY `anomaly_comment_anomaly` (`anomaly_id`, `id`),
  KEY `anomaly_comment_space` (`space_id`, `id`)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
--> statement-breakpoint
CREATE TABLE `clip` (
  `id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `space_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `device_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `event_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `content_type` VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `size_bytes` BIGINT NOT NULL,
  `duration_ms` INT,
  `status` VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `has_poster` BOOLEAN NOT NULL,
  `created_at` DATETIME(3) NOT NULL,
  `completed_at` DATETIME(3),
  PRIMARY KEY (`id`),
  KEY `clip_event` (`device_id`, `event_id`, `id`),
  KEY `clip_status` (`status`, `id`),
  KEY `clip_space` (`space_id`, `id`)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
--> statement-breakpoint
ALTER TABLE `anomaly_occurrence`
  ADD COLUMN `anomaly_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin AFTER `received_at`
