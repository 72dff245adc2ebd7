INSERT INTO `anomaly` (`id`, `space_id`, `device_id`, `line_id`, `process_id`, `type`, `severity`, `message`, `score`,
  `attributes`, `clock_replaced`, `received_at`, `first_occurrence_id`, `last_occurrence_id`, `occurrences`, `status`,
  `resolved_at`, `version`)
SELECT `opening`.`id`, `opening`.`space_id`, `opening`.`device_id`, `opening`.`line_id`, `opening`.`process_id`,
  `opening`.`type`, ELT(`kind`.`severity`, 'INFO', 'MINOR', 'MAJOR', 'CRITICAL'), `opening`.`message`,
  `opening`.`score`, `opening`.`attributes`, `opening`.`clock_replaced`, `opening`.`received_at`, `kind`.`first_id`,
  `kind`.`last_id`, `kind`.`occurrences`, IF(`kind`.`cleared_id` > `kind`.`last_id`, 'RESOLVED', 'OPEN'),
  IF(`kind`.`cleared_id` > `kind`.`last_id`, TIMESTAMP '1970-01-01 00:00:00' + INTERVAL 1000 * CAST(
    CONV(CONCAT(LEFT(`kind`.`cleared_id`, 8), SUBSTR(`kind`.`cleared_id`, 10, 4)), 16, 10) AS UNSIGNED) MICROSECOND, NULL),
  1
FROM (
  SELECT `space_id`, `device_id`, `type`, MIN(IF(`cleared`, NULL, `id`)) AS `first_id`,
    MAX(IF(`cleared`, NULL, `id`)) AS `last_id`, MAX(IF(`cleared`, `id`, NULL)) AS `cleared_id`,
    SUM(`cleared` = 0) AS `occurrences`,
    MAX(IF(`cleared`, 0, FIELD(`severity`, 'INFO', 'MINOR', 'MAJOR', 'CRITICAL'))) AS `severity`
  FROM `anomaly_occurrence` WHERE `anomaly_id` IS NULL GROUP BY `space_id`, `device_id`, `type`
) AS `kind`
JOIN `anomaly_occurrence` AS `opening` ON `opening`.`space_id` = `kind`.`space_id` AND `opening`.`id` = `kind`.`first_id`
ON DUPLICATE KEY UPDATE `id` = `anomaly`.`id`
--> statement-breakpoint
UPDATE `anomaly_occurrence` AS `occurrence`
JOIN `anomaly` ON `anomaly`.`device_id` = `occurrence`.`device_id` AND `anomaly`.`type` = `occurrence`.`type`
  AND `occurrence`.`id` BETWEEN `anomaly`.`first_occurrence_id` AND `anomaly`.`last_occurrence_id`
SET `occurrence`.`anomaly_id` = `anomaly`.`id`
WHERE `occurrence`.`anomaly_id` IS NULL AND `occurrence`.`cleared` = 0
