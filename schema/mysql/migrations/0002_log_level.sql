ALTER TABLE `log` ADD KEY `log_level` (`space_id`, `level`, `id`)
