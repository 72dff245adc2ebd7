ALTER TABLE `log`
  ADD KEY `log_line` (`space_id`, `line_id`, `level`, `id`),
  ADD KEY `log_process` (`space_id`, `process_id`, `level`, `id`)
--> statement-breakpoint
CREATE TABLE `job_lease` (
  `job` VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `owner` VARCHAR(64) NOT NULL,
  `lease_until` DATETIME(3) NOT NULL,
  `finished_at` DATETIME(3) NOT NULL,
  PRIMARY KEY (`job`)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
