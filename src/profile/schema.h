/* The tables of a .cast file; docs/format/profile.md says what each column means. A reader refuses any other
 * schema.
 */
#ifndef CC_PROFILE_SCHEMA_H
#define CC_PROFILE_SCHEMA_H

static const char *const cc_store_schema[] = {
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID",
    "CREATE TABLE chunk (stream TEXT, seq INTEGER, size INTEGER, hash INTEGER, data BLOB, PRIMARY KEY "
    "(stream, seq)) "
    "WITHOUT ROWID",
    "CREATE TABLE binary (id INTEGER PRIMARY KEY, path TEXT, program INTEGER)",
    "CREATE TABLE function (id INTEGER PRIMARY KEY, name TEXT, symbol TEXT, file TEXT, line INTEGER, binary "
    "INTEGER, "
    "offset INTEGER, library INTEGER, calls INTEGER, inclusive INTEGER, exclusive INTEGER)",
    "CREATE TABLE thread (id INTEGER PRIMARY KEY, tid INTEGER, start INTEGER, instructions INTEGER)",
    "CREATE TABLE context (id INTEGER PRIMARY KEY, parent INTEGER, function INTEGER, thread INTEGER, calls "
    "INTEGER, "
    "exclusive INTEGER, inclusive INTEGER)",
    "CREATE TABLE source (id INTEGER PRIMARY KEY, call TEXT, file TEXT)",
    "CREATE TABLE region (id INTEGER PRIMARY KEY, name TEXT, calls INTEGER, exclusive INTEGER, inclusive "
    "INTEGER)",
    "CREATE TABLE scope (id INTEGER PRIMARY KEY, parent INTEGER, kind TEXT, region INTEGER, name TEXT, file "
    "TEXT, "
    "line INTEGER, calls INTEGER, exclusive INTEGER)",
    "CREATE TABLE problem (id INTEGER PRIMARY KEY, kind TEXT, text TEXT, file TEXT, line INTEGER, count "
    "INTEGER)",
    "CREATE TABLE node (id INTEGER PRIMARY KEY, kind TEXT, context INTEGER, source INTEGER, scope INTEGER, "
    "reads "
    "INTEGER, writes INTEGER, bytes_read INTEGER, bytes_written INTEGER, stack_reads INTEGER, stack_writes "
    "INTEGER, "
    "stack_bytes_read INTEGER, stack_bytes_written INTEGER, memory_instructions INTEGER, stack_instructions "
    "INTEGER, "
    "other_instructions INTEGER)",
    "CREATE TABLE edge (level TEXT, producer INTEGER, consumer INTEGER, bytes INTEGER, unma INTEGER, reads "
    "INTEGER, "
    "fresh INTEGER)",
    "CREATE TABLE object (id INTEGER PRIMARY KEY, kind TEXT, name TEXT, type TEXT, alloc TEXT, file TEXT, "
    "line "
    "INTEGER, function INTEGER, named INTEGER, size INTEGER, count INTEGER, freed INTEGER, total INTEGER, "
    "live INTEGER, peak INTEGER)",
    "CREATE TABLE object_site (object INTEGER, level INTEGER, function INTEGER, file TEXT, line INTEGER)",
    "CREATE TABLE object_access (function INTEGER, object INTEGER, reads INTEGER, writes INTEGER, bytes_read "
    "INTEGER, bytes_written INTEGER, unma INTEGER, first INTEGER, last INTEGER)",
};

#endif
