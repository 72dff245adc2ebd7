CREATE TABLE `watch` (
  `user_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `target_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `kind` VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `space_id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `id` CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `since` DATETIME(3) NOT NULL,
  PRIMARY KEY (`user_id`, `target_id`),
  KEY `watch_target` (`target_id`, `user_id`),
  KEY `watch_space` (`space_id`)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
--> statement-breakpoint
ALTER TABLE `log` ADD INDEX `log_device_level` (`device_id`, `level`, `id`)
