#!/bin/sh
# For compose.yaml's profile `cluster`: three primaries with a replica each, of the nodes that the name
# redis-node stands for. Done again it changes nothing.
redis-cli -h redis-node cluster info | grep -q cluster_state:ok && exit 0
nodes=$(getent ahostsv4 redis-node | awk '/STREAM/ {print $1 ":6379"}')
# shellcheck disable=SC2086 -- one word a node
exec redis-cli --cluster create $nodes --cluster-replicas 1 --cluster-yes
