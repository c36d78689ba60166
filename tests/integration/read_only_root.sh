#!/bin/sh
# Runs a program as another user with every mount read-only except the folders given.
#
#   unshare --mount --propagation private sh read_only_root.sh UID GID FOLDER... -- COMMAND...
#
# All execs, so the program keeps the process ID that was started.
set -eu

uid=$1 gid=$2
shift 2
while [ "$1" != -- ]; do
  mount --bind "$1" "$1"
  writable="${writable:-} $1"
  shift
done
shift

awk '{print $5}' /proc/self/mountinfo | sort -u | while read -r place; do
  case "$place" in /proc | /proc/* | /sys | /sys/* | /dev | /dev/*) continue ;; esac
  case " $writable " in *" $place "*) continue ;; esac
  mount -o remount,bind,ro "$(printf '%b' "$place")"
done

exec setpriv --reuid "$uid" --regid "$gid" --clear-groups -- "$@"
