ALTER TABLE `line`
  ADD COLUMN `version` INT NOT NULL DEFAULT 1,
  ADD COLUMN `removed` BOOLEAN NOT NULL DEFAULT FALSE
--> statement-breakpoint
ALTER TABLE `process`
  ADD COLUMN `version` INT NOT NULL DEFAULT 1,
  ADD COLUMN `removed` BOOLEAN NOT NULL DEFAULT FALSE
--> statement-breakpoint
ALTER TABLE `device`
  ADD COLUMN `version` INT NOT NULL DEFAULT 1,
  ADD COLUMN `live_code` VARCHAR(64) GENERATED ALWAYS AS (IF(`removed`, NULL, `code`)) STORED,
  ADD COLUMN `search_text` VARCHAR(322)
    GENERATED ALWAYS AS (IF(`removed`, NULL, LOWER(CONCAT_WS('\n', `code`, `name`, `model`)))) STORED
--> statement-breakpoint
ALTER TABLE `device`
  DROP KEY `device_code`,
  DROP KEY `device_line`,
  DROP KEY `device_process`,
  ADD UNIQUE KEY `device_code` (`space_id`, `live_code`),
  ADD KEY `device_line` (`line_id`, `live_code`),
  ADD KEY `device_process` (`process_id`, `live_code`),
  ADD KEY `device_name` (`space_id`, `name`),
  ADD KEY `device_created` (`space_id`, `id`),
  ADD KEY `device_search` (`space_id`, `live_code`, `search_text`)
--> statement-breakpoint
ALTER TABLE `device_credential` ADD COLUMN `expires_at` DATETIME(3)
--> statement-breakpoint
ALTER TABLE `device_status`
  ADD COLUMN `broadcasting` BOOLEAN NOT NULL DEFAULT FALSE,
  ADD KEY `device_status_broadcasting` (`space_id`, `broadcasting`),
  ADD KEY `device_status_seen` (`space_id`, `last_seen_at`)
