#!/bin/sh
# Starts PHP-FPM and nginx before it, and stops both on SIGTERM or SIGINT.
# With "version" it prints PHP's version instead, and fails if an extension or nginx is missing.
set -eu

# Debian has both programs in /usr/sbin, which is not in every user's PATH.
PATH=$PATH:/usr/local/sbin:/usr/sbin
folder=$(cd "$(dirname "$0")" && pwd)

find_fpm() {
  for name in php-fpm php-fpm8.5 php-fpm8.4 php-fpm8.3 php-fpm8.2 php-fpm8.1; do
    if command -v "$name"; then return; fi
  done
  return 1
}
fpm=$(find_fpm)

if [ "${1-}" = version ]; then
  command -v nginx >/dev/null
  modules=$("$fpm" -m)
  for module in apcu pdo_pgsql 'Zend OPcache'; do
    echo "$modules" | grep -qx "$module"
  done
  "$fpm" --version
  exit
fi

RUN=$(mktemp -d)
export RUN
pids=
stop() {
  trap '' INT TERM
  for pid in $pids; do kill "$pid" 2>/dev/null || true; done
  wait
  rm -rf "$RUN"
}
trap stop EXIT
trap 'exit 0' INT TERM

# By itself nginx would answer as the user nobody, who may not read the files of root; FPM refuses root.
# A process answers one request at a time.
CHILDREN=${CHILDREN:-$WORKERS}
export CHILDREN

as_user='' as_root=''
if [ "$(id -u)" = 0 ]; then
  as_user='user root;' as_root=--allow-to-run-as-root
fi

"$fpm" --nodaemonize --fpm-config "$folder/php-fpm.conf" $as_root \
  -d opcache.enable=1 -d opcache.validate_timestamps=0 -d opcache.jit=disable -d expose_php=0 &
fpm_pid=$!
pids=$fpm_pid
until [ -S "$RUN/php.sock" ]; do
  kill -0 "$fpm_pid"
  sleep 0.01
done

# One nginx process for each worker, unless the manifest says otherwise, but not more than processors.
cores=$(nproc)
processes=${NGINX_PROCESSES:-$WORKERS}
if [ "$processes" -gt "$cores" ]; then processes=$cores; fi
listen="listen $HOST:$PORT;"
if [ -n "${TLS_CERT-}" ]; then
  listen="listen $HOST:$PORT ssl http2; ssl_certificate \"$TLS_CERT\"; ssl_certificate_key \"$TLS_KEY\";"
fi
{
  cat <<END
worker_processes $processes;
$as_user
pid "$RUN/nginx.pid";
END
  sed -e "s|@LISTEN@|$listen|" -e "s|@RUN@|$RUN|g" -e "s|@FOLDER@|$folder|" \
    -e "s|@STATIC_FOLDER@|$STATIC_FOLDER|" "$folder/nginx.conf"
} >"$RUN/nginx.conf"
nginx -e stderr -c "$RUN/nginx.conf" -g 'daemon off;' &
nginx_pid=$!
pids="$fpm_pid $nginx_pid"
wait "$nginx_pid"
