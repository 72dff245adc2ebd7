CREATE TABLE `anomaly_occurrence` (
  `space_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `device_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `line_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin,
  `process_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin,
  `type` VARCHAR(64) NOT NULL,
  `severity` VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `message` TEXT,
  `score` DOUBLE,
  `attributes` JSON,
  `cleared` BOOLEAN NOT NULL,
  `clock_replaced` BOOLEAN NOT NULL,
  `received_at` DATETIME(3) NOT NULL,
  PRIMARY KEY (`space_id`, `id`),
  KEY `anomaly_occurrence_device` (`device_id`, `id`)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
PARTITION BY RANGE COLUMNS (`id`) (PARTITION `rest` VALUES LESS THAN (MAXVALUE))
--> statement-breakpoint
CREATE TABLE `log_rollup_fine` (
  `space_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `bucket` INT NOT NULL,
  `device_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `debug` INT NOT NULL,
  `info` INT NOT NULL,
  `warn` INT NOT NULL,
  `error` INT NOT NULL,
  PRIMARY KEY (`space_id`, `bucket`, `device_id`)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
--> statement-breakpoint
CREATE TABLE `log_rollup_coarse` (
  `space_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `bucket` INT NOT NULL,
  `line_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `process_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `debug` INT NOT NULL,
  `info` INT NOT NULL,
  `warn` INT NOT NULL,
  `error` INT NOT NULL,
  PRIMARY KEY (`space_id`, `bucket`, `line_id`, `process_id`)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
--> statement-breakpoint
CREATE TABLE `anomaly_rollup_fine` (
  `space_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `bucket` INT NOT NULL,
  `device_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `type` VARCHAR(64) NOT NULL,
  `info` INT NOT NULL,
  `minor` INT NOT NULL,
  `major` INT NOT NULL,
  `critical` INT NOT NULL,
  PRIMARY KEY (`space_id`, `bucket`, `device_id`, `type`)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
--> statement-breakpoint
CREATE TABLE `anomaly_rollup_coarse` (
  `space_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `bucket` INT NOT NULL,
  `line_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `process_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `info` INT NOT NULL,
  `minor` INT NOT NULL,
  `major` INT NOT NULL,
  `critical` INT NOT NULL,
  PRIMARY KEY (`space_id`, `bucket`, `line_id`, `process_id`)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
--> statement-breakpoint
CREATE TABLE `state_change` (
  `device_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `at` BIGINT NOT NULL,
  `status` VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  PRIMARY KEY (`device_id`, `at`)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
PARTITION BY RANGE COLUMNS (`at`) (PARTITION `rest` VALUES LESS THAN (MAXVALUE))
--> statement-breakpoint
CREATE TABLE `metric_minute` (
  `device_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `metric` VARCHAR(64) NOT NULL,
  `minute` INT NOT NULL,
  `last_value` DOUBLE NOT NULL,
  `last_at` BIGINT NOT NULL,
  `min_value` DOUBLE NOT NULL,
  `max_value` DOUBLE NOT NULL,
  PRIMARY KEY (`device_id`, `metric`, `minute`)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
PARTITION BY RANGE COLUMNS (`minute`) (PARTITION `rest` VALUES LESS THAN (MAXVALUE))
--> statement-breakpoint
ALTER TABLE `device_status`
  ADD COLUMN `status` VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin AFTER `last_seen_at`,
  ADD KEY `device_status_status` (`space_id`, `status`)
--> statement-breakpoint
UPDATE `device_status` SET `status` = JSON_UNQUOTE(JSON_EXTRACT(`state`, '$.status')) WHERE `state` IS NOT NULL
--> statement-breakpoint
INSERT INTO `log_rollup_fine` (`space_id`, `bucket`, `device_id`, `debug`, `info`, `warn`, `error`)
SELECT `space_id`, CONV(CONCAT(LEFT(`id`, 8), SUBSTR(`id`, 10, 4)), 16, 10) DIV 900000, `device_id`,
  SUM(`level` = 'DEBUG'), SUM(`level` = 'INFO'), SUM(`level` = 'WARN'), SUM(`level` = 'ERROR')
FROM `log` GROUP BY 1, 2, 3
--> statement-breakpoint
INSERT INTO `log_rollup_coarse` (`space_id`, `bucket`, `line_id`, `process_id`, `debug`, `info`, `warn`, `error`)
SELECT `space_id`, CONV(CONCAT(LEFT(`id`, 8), SUBSTR(`id`, 10, 4)), 16, 10) DIV 900000,
  COALESCE(`line_id`, '00000000-0000-0000-0000-000000000000'), COALESCE(`process_id`, '00000000-0000-0000-0000-000000000000'),
  SUM(`level` = 'DEBUG'), SUM(`level` = 'INFO'), SUM(`level` = 'WARN'), SUM(`level` = 'ERROR')
FROM `log` GROUP BY 1, 2, 3, 4
