#!/bin/sh
# Stands for a slow server that knows the power of engines, for the form motor-insurance. When manufacturer and model
# are answered, it announces that it is looking the power up, waits, and then suggests the power. This does not disturb
# a person who is typing meanwhile.
# usage: look-up.sh SECONDS [OPTION-OF-GATECTL...]     (of a private run: --socket PATH --server-user NAME)
set -eu

seconds=${1:?"how many seconds does it take?"}
shift
form=motor-insurance
# Answers are written as the form expects them, independent of this terminal's language.
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
    # This command runs until the answer is there. The announcement ends with it.
    gatectl form suggest "$form" engine-power --pending "$((seconds + 10))s" "$@" >/dev/null &
    announced=$!
    sleep "$seconds"
    power=$(known "$now")
    # If the model was changed meanwhile, the power that was found belongs to another engine.
    if [ "$(vehicle "$@")" = "$now" ] && [ -n "$power" ]; then
        gatectl form suggest "$form" engine-power "$power" "$@" >/dev/null || true
    fi
    # Nothing was found, or it is no longer needed, so the announcement ends.
    kill "$announced" 2>/dev/null || true
    wait "$announced" 2>/dev/null || true
done
