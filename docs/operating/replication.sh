#!/bin/sh
# For compose.yaml's profile `replica`: lets it stream from this server.
echo "host replication all all scram-sha-256" >> "$PGDATA/pg_hba.conf"
