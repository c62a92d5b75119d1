#!/bin/sh
# A slow server that knows the power of engines, for the form motor-insurance. Once manufacturer and model are answered, it says that it
# looks the power up, takes its time, and suggests what it has found. Nobody who types meanwhile is disturbed.
# usage: look-up.sh SECONDS [OPTION-OF-GATECTL...]     (of a private run: --socket PATH --server-user NAME)
set -eu

seconds=${1:?"how many seconds does it take?"}
shift
form=motor-insurance
# Answers as the form has them, whatever language this terminal speaks.
export LC_ALL=C.UTF-8

vehicle() {
    manufacturer=$(gatectl form get "$form" manufacturer "$@" 2>/dev/null) || return 0
    model=$(gatectl form get "$form" model "$@" 2>/dev/null) || return 0
    if [ -n "$manufacturer" ] && [ -n "$model" ]; then echo "$manufacturer $model"; fi
}

known() {
    case $1 in
    "Audi A3") echo "110 kW" ;;
    "BMW 118i") echo "100 kW" ;;
    "Fiat Panda") echo "51 kW" ;;
    "Ford Fiesta") echo "74 kW" ;;
    "Kia Picanto") echo "49 kW" ;;
    esac
}

asked=
while sleep 1; do
    now=$(vehicle "$@")
    [ "$now" != "$asked" ] || continue
    asked=$now
    [ -n "$now" ] || continue
    # It runs until the answer is there, and what it says goes with it.
    gatectl form suggest "$form" engine-power --pending "$((seconds + 10))s" "$@" >/dev/null &
    announced=$!
    sleep "$seconds"
    power=$(known "$now")
    # Somebody may have changed the model by now: then this is the power of another engine.
    if [ "$(vehicle "$@")" = "$now" ] && [ -n "$power" ]; then
        gatectl form suggest "$form" engine-power "$power" "$@" >/dev/null || true
    fi
    # Nothing was found, or for nobody: nothing is being looked up any more.
    kill "$announced" 2>/dev/null || true
    wait "$announced" 2>/dev/null || true
done
