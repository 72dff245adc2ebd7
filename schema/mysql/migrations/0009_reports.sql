DROP TABLE `log_rollup_fine`
--> statement-breakpoint
CREATE TABLE `log_rollup_fine` (
  `space_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `bucket` INT NOT NULL,
  `device_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `line_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `process_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `debug` INT NOT NULL,
  `info` INT NOT NULL,
  `warn` INT NOT NULL,
  `error` INT NOT NULL,
  PRIMARY KEY (`space_id`, `bucket`, `device_id`, `line_id`, `process_id`)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
--> statement-breakpoint
REPLACE INTO `log_rollup_fine`
  (`space_id`, `bucket`, `device_id`, `line_id`, `process_id`, `debug`, `info`, `warn`, `error`)
SELECT `space_id`, CONV(CONCAT(LEFT(`id`, 8), SUBSTR(`id`, 10, 4)), 16, 10) DIV 900000, `device_id`,
  COALESCE(`line_id`, '00000000-0000-0000-0000-000000000000'), COALESCE(`process_id`, '00000000-0000-0000-0000-000000000000'),
  SUM(`level` = 'DEBUG'), SUM(`level` = 'INFO'), SUM(`level` = 'WARN'), SUM(`level` = 'ERROR')
FROM `log` GROUP BY 1, 2, 3, 4, 5
--> statement-breakpoint
DROP TABLE `anomaly_rollup_fine`
--> statement-breakpoint
CREATE TABLE `anomaly_rollup_fine` (
  `space_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `bucket` INT NOT NULL,
  `device_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `type` VARCHAR(64) NOT NULL,
  `line_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `process_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `info` INT NOT NULL,
  `minor` INT NOT NULL,
  `major` INT NOT NULL,
  `critical` INT NOT NULL,
  PRIMARY KEY (`space_id`, `bucket`, `device_id`, `type`, `line_id`, `process_id`)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
--> statement-breakpoint
REPLACE INTO `anomaly_rollup_fine`
  (`space_id`, `bucket`, `device_id`, `type`, `line_id`, `process_id`, `info`, `minor`, `major`, `critical`)
SELECT `space_id`, CONV(CONCAT(LEFT(`id`, 8), SUBSTR(`id`, 10, 4)), 16, 10) DIV 900000, `device_id`, `type`,
  COALESCE(`line_id`, '00000000-0000-0000-0000-000000000000'), COALESCE(`process_id`, '00000000-0000-0000-0000-000000000000'),
  SUM(`severity` = 'INFO'), SUM(`severity` = 'MINOR'), SUM(`severity` = 'MAJOR'), SUM(`severity` = 'CRITICAL')
FROM `anomaly_occurrence` WHERE `cleared` = 0 GROUP BY 1, 2, 3, 4, 5, 6
--> statement-breakpoint
CREATE TABLE `anomaly_rollup_device` (
  `space_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `bucket` INT NOT NULL,
  `device_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `info` INT NOT NULL,
  `minor` INT NOT NULL,
  `major` INT NOT NULL,
  `critical` INT NOT NULL,
  PRIMARY KEY (`space_id`, `device_id`, `bucket`),
  KEY `anomaly_rollup_device_bucket` (`space_id`, `bucket`)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
--> statement-breakpoint
REPLACE INTO `anomaly_rollup_device` (`space_id`, `bucket`, `device_id`, `info`, `minor`, `major`, `critical`)
SELECT `space_id`, `bucket`, `device_id`, SUM(`info`), SUM(`minor`), SUM(`major`), SUM(`critical`)
FROM `anomaly_rollup_fine` GROUP BY 1, 2, 3
