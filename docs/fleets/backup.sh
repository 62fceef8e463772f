#!/bin/sh
# Every night on each machine, such as `15 3 * * * SHARE=/mnt/agents /opt/coppice/backup.sh`:
# copies what is new of all agents into a directory of this machine, and removes nothing.
set -eu
: "${SHARE:?the directory that all machines share}"
machine=${MACHINE:-$(hostname)}
mkdir -p "$SHARE/backups/$machine"
exec coppice export --as archive --out "$SHARE/backups/$machine" --quiet
