#!/bin/sh
# For compose.yaml's profile `replica`: a copy of the primary that streams from it.
data=/var/lib/postgresql/replica
test -s "$data/PG_VERSION" || pg_basebackup -h postgres -U coverage -D "$data" -R
chmod 0700 "$data"
exec postgres -D "$data" -c hot_standby_feedback=on
