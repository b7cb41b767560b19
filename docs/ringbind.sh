#!/bin/sh
# /usr/local/bin/ringbind: Ringbinds kommandoer som Ringbinds egen bruger og med dens indstillinger.
set -eu
case ${1-} in
  backup | restore | verify | move-storage | import | export | doctor | let-in) ;;
  *)
    echo 'Brug: ringbind backup FIL | restore FIL | verify [FIL eller KODE] | move-storage [--dry-run] |' >&2
    echo '      import MAPPE … | export MAPPE | doctor | let-in E-MAIL' >&2
    exit 1
    ;;
esac
[ "$(id -u)" = 0 ] || { echo 'ringbind køres som root: sudo ringbind …' >&2; exit 1; }
command=$1
shift
# Et filnavn uden mappe er i den mappe, man står i.
for name; do
  shift
  case $command:$name in
    *:/* | *:-*) ;;
    let-in:* | import:*@*) ;; # en e-mail
    verify:[0-9]*:????????????????????????????????*) ;; # en kode fra loggens kæde
    import:*[!0-9]*) name=$PWD/$name ;;
    import:*) ;; # en flytnings nummer
    *) name=$PWD/$name ;;
  esac
  set -- "$@" "$name"
done
# --pty i en terminal, så Ctrl-C stopper kommandoen selv og ikke kun ventetiden på den.
exec systemd-run --quiet --pty --pipe --wait --collect --uid=ringbind --working-directory=/opt/ringbind \
  --property=EnvironmentFile=/etc/ringbind.env --property=UMask=0077 --setenv=DATA_DIR=/var/lib/ringbind \
  /opt/ringbind/node_modules/.bin/node "scripts/$command.ts" "$@"
