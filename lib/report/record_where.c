#include "record_parts.h"

#include "json_value.h"

static json_t *device_json(const struct block_device *d)
{
	json_t *j;

	if (!d->known)
		return json_null();
	j = json_object();
	json_set(j, "name", json_text(d->name));
	json_set(j, "model", json_known(d->model));
	json_set(j, "bytes", json_number(d->bytes));
	json_set(j, "rotational", json_known(d->rotational));
	json_set(j, "scheduler", json_known(d->scheduler));
	json_set(j, "write_cache", json_known(d->write_cache));
	json_set(j, "backing_file", json_known(d->backing_file));
	json_set(j, "backing_file_system", json_known(d->backing_type));
	return j;
}

static json_t *ext_json(const struct extfs_facts *f)
{
	json_t *j = json_object();

	json_set(j, "inode_size", json_integer(f->inode_size));
	json_set(j, "inodes", json_number(f->inodes));
	json_set(j, "block_size", json_integer(f->block_size));
	json_set(j, "journal_bytes", json_number(f->journal_bytes));
	json_set(j, "dir_index", json_boolean(f->dir_index));
	json_set(j, "large_dir", json_boolean(f->large_dir));
	json_set(j, "filetype", json_boolean(f->filetype));
	json_set(j, "metadata_csum", json_boolean(f->metadata_csum));
	json_set(j, "inline_data", json_boolean(f->inline_data));
	json_set(j, "extents", json_boolean(f->extents));
	json_set(j, "bigalloc", json_boolean(f->bigalloc));
	return j;
}

json_t *file_system_json(const struct environment *e)
{
	json_t *j = json_object();

	json_set(j, "type", json_known(e->mount.type));
	json_set(j, "mount_point", json_known(e->mount.point));
	json_set(j, "options", json_known(e->mount.options));
	json_set(j, "source", json_known(e->mount.source));
	json_set(j, "device", device_json(&e->device));
	json_set(j, "ext", e->ext_known ? ext_json(&e->ext) : json_null());
	return j;
}

json_t *host_json(const struct environment *e)
{
	json_t *j = json_object();

	json_set(j, "name", json_known(e->host));
	json_set(j, "kernel", json_known(e->kernel));
	json_set(j, "machine", json_known(e->machine));
	json_set(j, "cpu", json_known(e->cpu));
	json_set(j, "cpus", json_integer(e->cpus));
	json_set(j, "memory_bytes", json_number(e->memory));
	json_set(j, "memory_limit_bytes",
		 e->memory_limit ? json_number(e->memory_limit) : json_null());
	json_set(j, "clock_source", json_known(e->clock_source));
	json_set(j, "clock", json_text(e->clock_counter ? "tsc" : "monotonic"));
	json_set(j, "clock_ns", json_real(e->clock_cost));
	return j;
}

json_t *space_json(const struct space *s)
{
	json_t *j = json_object();

	json_set(j, "block_size", json_number(s->block_size));
	json_set(j, "blocks", json_number(s->blocks));
	json_set(j, "blocks_free", json_number(s->free));
	json_set(j, "blocks_available", json_number(s->available));
	json_set(j, "inodes",
		 s->inodes_counted ? json_number(s->inodes) : json_null());
	json_set(j, "inodes_free",
		 s->inodes_counted ? json_number(s->inodes_free) : json_null());
	json_set(j, "directory_bytes", json_number(s->directory_bytes));
	json_set(j, "directory_allocated_bytes",
		 json_number(s->directory_blocks * 512));
	return j;
}
