#!/bin/sh
# /usr/local/bin/ringbind: Ringbinds kommandoer som Ringbinds egen bruger og med dens indstillinger.
# sudo ringbind backup /var/backups/ringbind/i-dag.tar
set -eu
[ $# -gt 0 ] || { echo 'ringbind backup | restore | verify | move-storage …' >&2; exit 2; }
command=$1
shift
exec systemd-run --quiet --pipe --wait --collect --uid=ringbind --working-directory=/opt/ringbind \
  --property=EnvironmentFile=/etc/ringbind.env --property=UMask=0077 --setenv=DATA_DIR=/var/lib/ringbind \
  npm run --silent "$command" -- "$@"
