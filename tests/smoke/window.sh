#!/bin/sh
# Opens the window under Xvfb with software rendering and works with real mouse and keys: opens on the arena, draws an
# area, moves a point, undoes, asks for a path over the stairs, exports; the file must be one that `validate` accepts.
# Usage: tests/smoke/window.sh [BINARY] [FOLDER FOR PICTURES]
# Needs xvfb, xdotool, imagemagick and Mesa (mesa-vulkan-drivers or libgl1-mesa-dri); ends with 77 where they lack.
set -eu

binary=$(realpath "${1:-target/release/navwright}")
pictures=${2:-}
for tool in Xvfb xdotool import; do
    command -v "$tool" >/dev/null || { echo "SKIPPED: $tool is not installed"; exit 77; }
done

work=$(mktemp -d)
display=:$((90 + $$ % 900))
Xvfb "$display" -screen 0 1280x800x24 -nolisten tcp >"$work/xvfb.log" 2>&1 &
server=$!
editor=
finish() {
    if [ -n "$editor" ]; then kill "$editor" 2>/dev/null || true; fi
    kill "$server" 2>/dev/null || true
    rm -rf "$work"
}
trap finish EXIT
sleep 2
export DISPLAY="$display" XDG_RUNTIME_DIR="$work"

fail() {
    echo "FAILED: $1"
    [ -z "$pictures" ] || import -window root "$pictures/failed.png"
    cat "$work/editor.log"
    exit 1
}

# A picture, if pictures are wanted.
picture() {
    [ -z "$pictures" ] || import -window root "$pictures/$1.png"
}

# The window's title; • marks unsaved changes.
title() {
    xdotool getwindowname "$window"
}

# Waits until a condition holds.
until_true() {
    what=$1
    shift
    tries=0
    until "$@"; do
        tries=$((tries + 1))
        [ "$tries" -lt 100 ] || fail "waited in vain: $what"
        kill -0 "$editor" 2>/dev/null || fail "the editor has ended while waiting: $what"
        sleep 0.2
    done
}

find_window() { window=$(xdotool search --name 'navwright$' 2>/dev/null | head -n 1); [ -n "$window" ]; }
is_edited() { title | grep -q '•'; }
is_untouched() { ! is_edited; }
is_written() { [ -s "$work/arena.onnm" ]; }

click() { xdotool mousemove "$1" "$2" sleep 0.2 click 1 sleep 0.2; }
drag() {
    xdotool mousemove "$1" "$2" sleep 0.2 mousedown 1 sleep 0.2 \
        mousemove $((($1 + $3) / 2)) $((($2 + $4) / 2)) sleep 0.2 mousemove "$3" "$4" sleep 0.3 mouseup 1 sleep 0.2
}

cd "$work"
"$binary" >"$work/editor.log" 2>&1 &
editor=$!
until_true "the window" find_window
sleep 3
# There is no window manager: the window must be given the keyboard.
xdotool windowfocus "$window"
picture 1-opened
is_untouched || fail "the sample is not edited when it opens"

xdotool key w sleep 0.3
click 280 540; click 340 540; click 340 590; click 280 590; click 280 540
until_true "the drawn area" is_edited
picture 2-drawn
xdotool key v sleep 0.3
drag 340 590 352 600
picture 3-moved
xdotool key ctrl+z sleep 0.5 key ctrl+z
until_true "two steps undone" is_untouched
picture 4-undone

xdotool key t sleep 0.5
click 640 500
xdotool key Prior sleep 0.3
click 580 260
sleep 2
picture 5-path
is_untouched || fail "asking for a path is no edit"

xdotool key ctrl+e sleep 1.5 key ctrl+a sleep 0.2
xdotool type --delay 30 "$work/arena"
picture 6-export
xdotool key Return
until_true "the exported file" is_written
sleep 1
picture 7-exported
"$binary" validate "$work/arena.onnm" || fail "the exported file is not valid"
"$binary" inspect "$work/arena.onnm" >/dev/null || fail "the exported file cannot be inspected"

xdotool key Escape key Escape key ctrl+q
tries=0
while kill -0 "$editor" 2>/dev/null; do
    tries=$((tries + 1))
    [ "$tries" -lt 50 ] || fail "Ctrl+Q does not close the window"
    sleep 0.2
done
wait "$editor" || fail "the editor ended with $?"
editor=
echo "window: drawn, moved, undone, asked and exported"
