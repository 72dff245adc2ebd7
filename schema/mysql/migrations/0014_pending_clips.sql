ALTER TABLE `clip` ADD KEY `clip_device` (`device_id`, `status`, `id`)
