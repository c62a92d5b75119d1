#!/bin/sh
# Prints the mode of this device whenever it changes: child, verifying, parent. With --once it prints it once, and exits
# with gatectl's status: 0, or 69 if no living daemon maintains the status page.
# usage: mode.sh [--once] [OPTION-OF-GATECTL...]     (of a private run: --socket PATH --server-user NAME)
#
# Each look starts a process. A script that only waits for a change had better use `gatectl watch` or `gatectl wait`.
set -eu

once=no
if [ "${1:-}" = --once ]; then
    once=yes
    shift
fi

shown=
while :; do
    status=0
    said=$(gatectl status --page "$@" 2>/dev/null) || status=$?
    # Expects "rev 42  parent  14:59 left". Any other output counts as child mode, also an empty one.
    read -r _ _ mode _ <<END || true
$said
END
    case ${mode:-} in verifying | parent) ;; *) mode=child ;; esac
    if [ "$mode" != "$shown" ]; then
        echo "$mode"
        shown=$mode
    fi
    [ $once = no ] || exit "$status"
    sleep 0.1
done
