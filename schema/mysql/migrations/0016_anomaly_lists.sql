ALTER TABLE `anomaly`
  DROP KEY `anomaly_device`, ADD KEY `anomaly_device` (`device_id`, `id`),
  DROP KEY `anomaly_last`, ADD KEY `anomaly_last` (`space_id`, `status`, `last_occurrence_id`),
  DROP KEY `anomaly_severity`, ADD KEY `anomaly_severity` (`space_id`, `status`, `severity_rank`, `id`),
  ADD KEY `anomaly_type` (`space_id`, `type`, `id`)
